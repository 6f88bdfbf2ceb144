#include "strided_copy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tensor_layout.h"

namespace roipool::internal {
namespace {

// Row by row; a row is the last dimension.
template <typename Row>
void ForEachRow(const TensorLayout& layout, const Row& row) noexcept {
  for (int64_t i = 0; i < layout.shape[0]; ++i) {
    for (int64_t j = 0; j < layout.shape[1]; ++j) {
      for (int64_t k = 0; k < layout.shape[2]; ++k) row(i, j, k);
    }
  }
}

int64_t RowOffset(const TensorLayout& layout, int64_t i, int64_t j, int64_t k) noexcept {
  return i * layout.strides[0] + j * layout.strides[1] + k * layout.strides[2];
}

// `Element` is an unsigned type of the element's size.
template <typename Element>
void CopyElements(const TensorLayout& from_layout, const Element* from, const TensorLayout& to_layout, Element* to) noexcept {
  const int64_t extent = from_layout.shape[3], from_stride = from_layout.strides[3], to_stride = to_layout.strides[3];
  ForEachRow(from_layout, [&](int64_t i, int64_t j, int64_t k) {
    const Element* from_row = from + RowOffset(from_layout, i, j, k);
    Element* to_row = to + RowOffset(to_layout, i, j, k);
    for (int64_t l = 0; l < extent; ++l) to_row[l * to_stride] = from_row[l * from_stride];
  });
}

template <typename Element>
void ZeroElements(const TensorLayout& layout, Element* data) noexcept {
  const int64_t extent = layout.shape[3], stride = layout.strides[3];
  if (extent == 0) return;  // memset may not be given the null pointer that such a tensor may have.
  ForEachRow(layout, [&](int64_t i, int64_t j, int64_t k) {
    Element* row = data + RowOffset(layout, i, j, k);
    if (stride == 1) {
      std::memset(row, 0, static_cast<size_t>(extent) * sizeof(Element));
    } else {
      for (int64_t l = 0; l < extent; ++l) row[l * stride] = 0;
    }
  });
}

}  // namespace

void CopyStrided(const TensorLayout& from_layout, const void* from, const TensorLayout& to_layout, void* to) noexcept {
  switch (ElementSize(from_layout.type)) {
    case 2:
      return CopyElements(from_layout, static_cast<const uint16_t*>(from), to_layout, static_cast<uint16_t*>(to));
    case 4:
      return CopyElements(from_layout, static_cast<const uint32_t*>(from), to_layout, static_cast<uint32_t*>(to));
    case 8:
      return CopyElements(from_layout, static_cast<const uint64_t*>(from), to_layout, static_cast<uint64_t*>(to));
  }
}

void FillZero(const TensorLayout& layout, void* data) noexcept {
  switch (ElementSize(layout.type)) {
    case 2:
      return ZeroElements(layout, static_cast<uint16_t*>(data));
    case 4:
      return ZeroElements(layout, static_cast<uint32_t*>(data));
    case 8:
      return ZeroElements(layout, static_cast<uint64_t*>(data));
  }
}

}  // namespace roipool::internal
