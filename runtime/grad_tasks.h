// How a gradient is cut into tasks for a CPU's threads.
#ifndef ROIPOOL_RUNTIME_GRAD_TASKS_H_
#define ROIPOOL_RUNTIME_GRAD_TASKS_H_

#include <cstdint>

#include "call_knobs.h"
#include "shape_class.h"

namespace roipool::internal {

/// A task is a block of channels of one image, or of all. No two tasks write the same plane, so that nothing is atomic and each
/// plane has one order of addition (S2) for any number of threads. It follows that one plane is the work of one thread.
struct GradTasks {
  int32_t images_per_task = 1;  ///< 1, or all of them.
  int32_t channel_block = 1;
  int32_t group_channels = 1;     ///< Channels of a block are handed to a kernel in groups of so many.
  int32_t prefetch_distance = 0;  ///< How many rois ahead a kernel fetches rows.

  int32_t Blocks(int64_t channels) const noexcept {
    return static_cast<int32_t>((channels + channel_block - 1) / channel_block);
  }
  int32_t Count(const CallSizes& sizes) const noexcept {
    return Blocks(sizes.channels) * static_cast<int32_t>(sizes.images / images_per_task);
  }
};

/// Follows from its arguments alone; the sizes are at least 1. A block is never so large that threads would have no work.
GradTasks ChooseGradTasks(const CallSizes& sizes, int32_t threads, const CallKnobs& knobs = {}) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GRAD_TASKS_H_
