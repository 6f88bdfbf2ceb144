#include "tensor_layout.h"

#include <algorithm>
#include <utility>

#include "checked_math.h"

namespace roipool::internal {

int64_t ElementSize(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat16:
    case DataType::kBFloat16:
      return 2;
    case DataType::kFloat32:
    case DataType::kInt32:
      return 4;
    case DataType::kFloat64:
    case DataType::kInt64:
      return 8;
  }
  return 0;
}

bool IsFloat(DataType type) noexcept {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kBFloat16 || type == DataType::kFloat64;
}

bool ElementCount(const TensorLayout& layout, int64_t* count) noexcept {
  if (std::find(layout.shape, layout.shape + layout.rank, 0) != layout.shape + layout.rank) {
    *count = 0;
    return true;
  }
  *count = 1;
  for (int32_t d = 0; d < layout.rank; ++d) {
    if (!CheckedMultiply(*count, layout.shape[d], count)) return false;
  }
  return true;
}

bool BytesSpanned(const TensorLayout& layout, ByteSpan* span) noexcept {
  *span = {};
  int64_t lowest = 0, highest = 0;
  for (int32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] == 0) return true;
    int64_t reach = 0;
    if (!CheckedMultiply(layout.shape[d] - 1, layout.strides[d], &reach)) return false;
    int64_t& bound = reach < 0 ? lowest : highest;
    if (!CheckedAdd(bound, reach, &bound)) return false;
  }
  const int64_t size = ElementSize(layout.type);
  return CheckedMultiply(lowest, size, &span->begin) && CheckedAdd(highest, 1, &highest) &&
         CheckedMultiply(highest, size, &span->end);
}

bool ElementsAreApart(const TensorLayout& layout) noexcept {
  std::pair<uint64_t, int64_t> dimensions[kMaxRank];  // size of the stride, extent
  int32_t used = 0;
  for (int32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] == 0) return true;
    if (layout.shape[d] == 1) continue;
    const auto stride = static_cast<uint64_t>(layout.strides[d]);
    dimensions[used++] = {layout.strides[d] < 0 ? 0 - stride : stride, layout.shape[d]};
  }
  // A heap, because GCC 12 warns wrongly of std::sort on an array this small.
  std::make_heap(dimensions, dimensions + used);
  std::sort_heap(dimensions, dimensions + used);
  uint64_t reach = 0;  // BytesSpanned has shown that this cannot wrap.
  for (int32_t d = 0; d < used; ++d) {
    if (dimensions[d].first <= reach) return false;
    reach += dimensions[d].first * static_cast<uint64_t>(dimensions[d].second - 1);
  }
  return true;
}

bool FitsKernel(const TensorLayout& layout) noexcept {
  const TensorLayout used = WithoutIdleStrides(layout);
  for (int32_t d = 0; d < used.rank; ++d) {
    // Halide wants extent times stride in 31 bits, one step further than the last element.
    int64_t reach = 0;
    if (used.strides[d] < 0 || !CheckedMultiply(used.shape[d], used.strides[d], &reach) || reach > kMaxElements) return false;
  }
  ByteSpan span;
  return BytesSpanned(used, &span) && span.end / ElementSize(used.type) <= kMaxElements;
}

bool HasDensePlanes(const TensorLayout& layout) noexcept {
  const bool dense_rows = layout.shape[3] == 1 || layout.strides[3] == 1;
  const bool dense_planes = layout.shape[2] == 1 || layout.strides[2] == layout.shape[3];
  return FitsKernel(layout) && dense_rows && dense_planes;
}

TensorLayout WithoutIdleStrides(TensorLayout layout) noexcept {
  for (int32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] <= 1) layout.strides[d] = 0;
  }
  return layout;
}

TensorLayout DenseLike(const TensorLayout& layout) noexcept {
  TensorLayout dense = layout;
  int64_t stride = 1;
  for (int32_t d = layout.rank - 1; d >= 0; --d) {
    dense.strides[d] = stride;
    stride *= layout.shape[d];
  }
  return dense;
}

}  // namespace roipool::internal
