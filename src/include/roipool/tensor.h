// Non-owning descriptions of tensors, in host memory or a device's.
#ifndef ROIPOOL_TENSOR_H_
#define ROIPOOL_TENSOR_H_

#include <cstdint>
#include <initializer_list>

namespace roipool {

enum class DataType : int32_t {
  kFloat32 = 0,
  kFloat16 = 1,   ///< IEEE 754 binary16.
  kBFloat16 = 2,  ///< The upper half of a float32.
  kFloat64 = 3,
  kInt32 = 4,
  kInt64 = 5,
};

constexpr int32_t kMaxRank = 8;

/// What a tensor looks like in memory. Element (i0, i1, ...) lies at data + (i0*strides[0] + i1*strides[1] + ...) elements.
struct TensorLayout {
  DataType type = DataType::kFloat32;
  int32_t rank = 0;
  int64_t shape[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};  ///< In elements; 0 (expanded) and negative strides are allowed for inputs.

  /// Row-major strides for `extents`. More than kMaxRank extents leave rank too large to pass any check.
  static TensorLayout Contiguous(DataType type, std::initializer_list<int64_t> extents) noexcept {
    TensorLayout layout;
    layout.type = type;
    layout.rank = static_cast<int32_t>(extents.size());
    int32_t d = 0;
    for (int64_t extent : extents) {
      if (d < kMaxRank) layout.shape[d] = extent;
      ++d;
    }
    // Unsigned, so that absurd extents wrap instead of being undefined; the operators reject them by their shape.
    uint64_t stride = 1;
    for (d = (layout.rank < kMaxRank ? layout.rank : kMaxRank) - 1; d >= 0; --d) {
      layout.strides[d] = static_cast<int64_t>(stride);
      stride *= static_cast<uint64_t>(layout.shape[d] > 0 ? layout.shape[d] : 1);
    }
    return layout;
  }
};

/// A tensor that is read. The caller owns the memory and keeps it alive and unchanged until the call that uses it returns, or
/// on a stream until its work is done.
struct TensorView : TensorLayout {
  /// Element (0, 0, ...), aligned to its type; with an OpenCL Options::device_context the cl_mem that it begins. May be null if
  /// the tensor is empty.
  const void* data = nullptr;
};

/// A tensor that is written. Its elements may not share memory with each other (no stride 0 over an extent above 1).
struct MutableTensorView : TensorLayout {
  void* data = nullptr;

  operator TensorView() const noexcept {
    TensorView view;
    static_cast<TensorLayout&>(view) = *this;
    view.data = data;
    return view;
  }
};

/// A dense row-major tensor, e.g. `ContiguousTensor(rois.data(), DataType::kFloat32, {128, 5})`.
inline TensorView ContiguousTensor(const void* data, DataType type, std::initializer_list<int64_t> shape) noexcept {
  TensorView view;
  static_cast<TensorLayout&>(view) = TensorLayout::Contiguous(type, shape);
  view.data = data;
  return view;
}

/// The same for memory that may be written.
inline MutableTensorView ContiguousTensor(void* data, DataType type, std::initializer_list<int64_t> shape) noexcept {
  MutableTensorView view;
  static_cast<TensorLayout&>(view) = TensorLayout::Contiguous(type, shape);
  view.data = data;
  return view;
}

}  // namespace roipool

#endif  // ROIPOOL_TENSOR_H_
