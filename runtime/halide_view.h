// Memory as a Halide pipeline sees it, without a copy.
#ifndef ROIPOOL_RUNTIME_HALIDE_VIEW_H_
#define ROIPOOL_RUNTIME_HALIDE_VIEW_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "HalideRuntime.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// One dimension, innermost first as Halide counts them. All must fit in 31 bits; the plan made sure.
struct HalideDimension {
  int64_t extent;
  int64_t stride;  ///< In elements.
  int64_t min = 0;
};

/// A stride that nobody steps over may be too large for Halide.
constexpr int64_t StrideOf(int64_t extent, int64_t stride) noexcept { return extent > 1 ? stride : 0; }

/// Halide's name of a type.
halide_type_t HalideType(DataType type) noexcept;

/// A host buffer of up to four dimensions. Does not own the memory. Not movable: halide_buffer_t points into it.
class HalideView {
 public:
  /// The buffer's first element is host[offset].
  HalideView(const void* host, DataType type, std::initializer_list<HalideDimension> dimensions, int64_t offset = 0) noexcept;
  HalideView(const HalideView&) = delete;
  HalideView& operator=(const HalideView&) = delete;

  halide_buffer_t* buffer() noexcept { return &buffer_; }

 private:
  std::array<halide_dimension_t, 4> dimensions_ = {};
  halide_buffer_t buffer_ = {};
};

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_HALIDE_VIEW_H_
