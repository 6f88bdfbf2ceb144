// Calls a kernel on the CPU and turns what Halide says into a Status.
#ifndef ROIPOOL_RUNTIME_LAUNCH_H_
#define ROIPOOL_RUNTIME_LAUNCH_H_

#include <cstdint>

#include "grad_tasks.h"
#include "kernel_registry.h"
#include "roipool/status.h"

namespace roipool::internal {

/// Buffers as the gradient's kernels take them: bins and pixels dense, strides in elements, everything within 31 bits.
struct RoiPoolGradLaunch {
  CallSizes sizes;
  GradTasks tasks;
  const void* grad_output;
  int64_t grad_output_roi_stride, grad_output_channel_stride;
  const int32_t* argmax;
  int64_t argmax_roi_stride, argmax_channel_stride;
  const int32_t* order;   ///< (rois): sorted by image.
  const int32_t* begin;   ///< (images + 1): where each image's rois begin in `order`.
  const int32_t* images;  ///< (rois)
  void* sums;             ///< SumsPerWorker() sums for each thread; null if that is 0.
  int32_t fixed_point_shift;
  void* grad_input;
  int64_t grad_input_image_stride, grad_input_channel_stride;
};

/// The type of a kernel's sums.
DataType SumType(DataType type, Accumulation accumulation) noexcept;

/// How many sums of that type one thread needs beside grad_input: 0 if grad_input's type is its own sum's.
int64_t SumsPerWorker(DataType type, Accumulation accumulation, const CallSizes& sizes, const GradTasks& tasks) noexcept;

/// Runs `kernel` with `threads` threads. *found_bad_argmax tells that a row of argmax holds an entry outside [-1, pixels); the
/// caller, who knows the tensor's shape, words that error.
Status LaunchRoiPoolGrad(const char* function, const Kernel& kernel, int32_t threads, const RoiPoolGradLaunch& launch,
                         bool* found_bad_argmax) noexcept;

/// A four-dimensional tensor as the forward's kernels take it: any strides that are not negative, everything within 31 bits.
struct Tensor4 {
  const void* data;
  int64_t shape[4];    ///< Outermost first.
  int64_t strides[4];  ///< In elements.
};

struct RoiPoolLaunch {
  Tensor4 x;              ///< (images, channels, height, width)
  const float* boxes;     ///< (rois, 4): x1, y1, x2, y2
  const int32_t* images;  ///< (rois)
  float spatial_scale_h, spatial_scale_w;
  bool rounds_corners;
  Tensor4 y, argmax;  ///< (rois, channels, pooled_h, pooled_w)
};

Status LaunchRoiPool(const char* function, const Kernel& kernel, int32_t threads, const RoiPoolLaunch& launch) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_LAUNCH_H_
