// Calls the forward's kernels on a GPU, step by step, in the order of a queue. Nothing is waited for.
#ifndef ROIPOOL_RUNTIME_GPU_POOL_LAUNCH_H_
#define ROIPOOL_RUNTIME_GPU_POOL_LAUNCH_H_

#include <cstdint>

#include "call_context.h"
#include "gpu_call.h"
#include "gpu_kernel_registry.h"

namespace roipool::internal {

/// One axis of the boxes and of the map.
struct GpuPoolAxis {
  float spatial_scale;
  int32_t begin_column, end_column;  ///< Of rois: the corners along the axis.
  DeviceMemory edges;                ///< (rois, 2, bins along the axis), int32.
};

struct GpuPoolLaunch {
  DeviceTensor x, rois, y, argmax;
  bool rounds_corners;
  GpuPoolAxis columns, rows;
  DeviceMemory images;  ///< (rois), int32.
  DeviceMemory state;   ///< One word; kFoundBadContents if an image index is out of range or a box is not finite.
};

/// With at least one element of y.
Status LaunchRoiPoolOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                          const GpuPoolLaunch& launch) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_POOL_LAUNCH_H_
