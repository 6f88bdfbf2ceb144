// Calls a GPU's kernels, step by step, in the order of a queue. Nothing is waited for.
#ifndef ROIPOOL_RUNTIME_GPU_LAUNCH_H_
#define ROIPOOL_RUNTIME_GPU_LAUNCH_H_

#include <cstdint>

#include "call_context.h"
#include "device_view.h"
#include "gpu_kernel_registry.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// A tensor in device memory.
struct DeviceTensor {
  DeviceMemory memory;  ///< Of element (0, 0, ...).
  TensorLayout layout;
};

/// The first chunks of rois that the inspection takes one thread for, per channel.
constexpr int64_t kInspectionChunks = 64;
/// What the inspection's second step has room for, in 64-bit words.
constexpr int64_t kInspectionLanes = 256;

/// Set in the state, which else is the largest magnitude, if an entry of argmax or an image index is out of range.
constexpr uint64_t kFoundBadContents = uint64_t{1} << 63;

struct GpuGradLaunch {
  DeviceTensor grad_output, argmax, rois, grad_input;
  int32_t addends_log2;
  DeviceMemory images;            ///< (rois), int32.
  DeviceMemory converted_argmax;  ///< Dense int32 of argmax's shape; not used if argmax is int32.
  DeviceMemory part, lane;        ///< The inspection's: (channels, InspectionChunks()) and kInspectionLanes words.
  DeviceMemory state;             ///< One word.
  bool sums_in_place;             ///< Then `sum` is not used: grad_input is dense and has the type of sums.
  DeviceMemory sum;               ///< Dense, of grad_input's shape; at a multiple of 16 bytes, and with room for one.
  DeviceMemory float_sum;         ///< The same in floats; fixed point alone.
};

int64_t InspectionChunks(int64_t rois) noexcept;

/// With at least one roi, channel and image.
Status LaunchRoiPoolGradOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                              const GpuGradLaunch& launch) noexcept;

/// grad_input from sums that are all 0, for a call without rois.
Status LaunchZeroGradOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                           const GpuGradLaunch& launch) noexcept;

/// Whether a kernel of the device was called in this process. Only then Halide's runtime has opened the driver.
bool WasLaunched(Device device) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_LAUNCH_H_
