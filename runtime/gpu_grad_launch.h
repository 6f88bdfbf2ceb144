// Calls the gradient's kernels on a GPU, step by step, in the order of a queue. Nothing is waited for.
#ifndef ROIPOOL_RUNTIME_GPU_GRAD_LAUNCH_H_
#define ROIPOOL_RUNTIME_GPU_GRAD_LAUNCH_H_

#include <cstdint>

#include "call_context.h"
#include "gpu_call.h"
#include "gpu_kernel_registry.h"

namespace roipool::internal {

/// The state's uppermost bits tell that an entry of argmax or an image index is out of range: kFoundBadContents. The others are
/// in fixed point the largest magnitude among the gradients that count, without its sign: a float64's upper half, a smaller
/// one's whole.
struct GpuGradLaunch {
  DeviceTensor grad_output, argmax, rois, grad_input;
  int32_t addends_log2;
  DeviceMemory images;            ///< (rois), int32.
  DeviceMemory converted_argmax;  ///< Dense int32 of argmax's shape; not used if argmax is int32.
  DeviceMemory inspection_parts;  ///< InspectionParts() words of 32 bits; fixed point alone.
  DeviceMemory state;             ///< One word.
  bool sums_in_place;             ///< Then `sum` is not used: grad_input is dense and has the type of sums.
  DeviceMemory sum;               ///< Dense, of grad_input's shape; at a multiple of 16 bytes, and with room for one.
  DeviceMemory float_sum;         ///< The same in floats; fixed point alone.
};

/// The blocks of threads that look at `entries` entries.
int64_t InspectionParts(int64_t entries) noexcept;

/// With at least one element of grad_input. Without rois the pieces but for state and sum are not used.
Status LaunchRoiPoolGradOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                              const GpuGradLaunch& launch) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_GRAD_LAUNCH_H_
