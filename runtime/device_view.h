// Device memory as a Halide pipeline sees it.
#ifndef ROIPOOL_RUNTIME_DEVICE_VIEW_H_
#define ROIPOOL_RUNTIME_DEVICE_VIEW_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "HalideRuntime.h"
#include "call_context.h"
#include "halide_view.h"
#include "roipool/options.h"

namespace roipool::internal {

/// A place in device memory: CUDA's address, or OpenCL's memory object and an offset into it.
struct DeviceMemory {
  uint64_t handle = 0;
  int64_t offset = 0;  ///< In bytes; OpenCL: a multiple of 8.

  DeviceMemory At(int64_t bytes) const noexcept { return {handle, offset + bytes}; }
};

/// A buffer of up to five dimensions in device memory, which it does not own. Neither copied nor moved: halide_buffer_t points
/// into it.
class DeviceView {
 public:
  DeviceView(CallContext& context, Device device, const DeviceMemory& memory, halide_type_t type,
             std::initializer_list<HalideDimension> dimensions) noexcept;
  ~DeviceView();
  DeviceView(const DeviceView&) = delete;
  DeviceView& operator=(const DeviceView&) = delete;

  halide_buffer_t* buffer() noexcept { return &buffer_; }

 private:
  CallContext& context_;
  Device device_;
  std::array<halide_dimension_t, 5> dimensions_ = {};
  halide_dimension_t whole_dimension_ = {};
  halide_buffer_t buffer_ = {};
  halide_buffer_t whole_ = {};  ///< OpenCL: the memory object, of which buffer_ is a part.
};

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_DEVICE_VIEW_H_
