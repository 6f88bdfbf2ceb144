// Calls the gradient's kernels on the CPU and turns what Halide says into a Status.
#ifndef ROIPOOL_RUNTIME_LAUNCH_H_
#define ROIPOOL_RUNTIME_LAUNCH_H_

#include <cstdint>

#include "call_context.h"
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

/// What Halide's code for the outcome of `kernel` means to the caller of `function`.
Status StatusOf(const char* function, const char* kernel, int halide_error, const CallContext& context) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_LAUNCH_H_
