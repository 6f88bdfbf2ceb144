// One tensor of a call: where it lies, what it looks like, and who owns it.
#ifndef ROIPOOL_PYTHON_TENSOR_H_
#define ROIPOOL_PYTHON_TENSOR_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <roipool/tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roipool::python {

/// Copied and destroyed under the GIL alone, since it may hold a reference to the array that owns the memory.
class Tensor {
 public:
  /// An array in host memory that speaks DLPack or the buffer protocol, without a copy. `name` is for messages.
  /// TypeError: not such an array, a type of element that no tensor has, or read-only although it is to be written. What the
  /// array itself raises when asked for its memory passes through.
  /// ValueError: another device's memory, or more dimensions than kMaxRank.
  static Tensor OfArray(nanobind::object array, std::string_view name, bool is_written);

  /// Memory that the caller keeps alive until the call is done. TypeError: an unknown type. ValueError: shape and strides of
  /// different or too great a length.
  static Tensor At(uintptr_t address, std::string_view type, const std::vector<int64_t>& shape,
                   const std::vector<int64_t>& strides, std::string_view name);

  const MutableTensorView& view() const noexcept { return view_; }
  std::string_view type() const noexcept;
  nanobind::tuple shape() const;

 private:
  MutableTensorView view_;
  nanobind::ndarray<nanobind::ro> array_;  ///< The import, which keeps an exporter's memory alive.
};

}  // namespace roipool::python

#endif  // ROIPOOL_PYTHON_TENSOR_H_
