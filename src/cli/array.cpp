#include "array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>

#include "roipool/executor.h"
#include "roipool/kernels.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

TensorLayout RowMajorLayout(const Array& array) {
  TensorLayout layout;
  layout.type = array.type;
  layout.rank = static_cast<int32_t>(std::min<size_t>(array.shape.size(), kMaxRank));
  // Unsigned, so that absurd shapes wrap instead of being undefined; the library rejects them by their shape.
  uint64_t stride = 1;
  for (int32_t d = layout.rank - 1; d >= 0; --d) {
    layout.shape[d] = array.shape[d];
    layout.strides[d] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(array.shape[d], 1));
  }
  return layout;
}

}  // namespace

int64_t ElementSize(DataType type) {
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

int64_t ElementCount(const Array& array) {
  return std::accumulate(array.shape.begin(), array.shape.end(), int64_t{1}, std::multiplies<>());
}

Array AllocateArray(DataType type, const std::vector<int64_t>& shape) {
  Array array{type, shape, nullptr};
  const size_t bytes = static_cast<size_t>(ElementCount(array) * ElementSize(type));
  if (bytes == 0) return array;
  constexpr std::align_val_t kAlignment{kWorkspaceAlignment};
  void* memory = ::operator new(bytes, kAlignment, std::nothrow);
  if (memory == nullptr) throw UserError(fmt::format("not enough memory for {} ({} bytes)", Describe(array), bytes));
  array.data = std::shared_ptr<void>(memory, [](void* p) { ::operator delete(p, kAlignment); });
  return array;
}

TensorView View(const Array& array) {
  TensorView view;
  static_cast<TensorLayout&>(view) = RowMajorLayout(array);
  view.data = array.data.get();
  return view;
}

MutableTensorView MutableView(Array& array) {
  MutableTensorView view;
  static_cast<TensorLayout&>(view) = RowMajorLayout(array);
  view.data = array.data.get();
  return view;
}

std::string Describe(const Array& array) {
  return fmt::format("({}) {}", fmt::join(array.shape, ", "), DataTypeName(array.type));
}

}  // namespace roipool::cli
