#include "grad_tasks.h"

#include <algorithm>

#include "kernel_layout.h"

namespace roipool::internal {
namespace {

// All figures: float32, one thread, two Zen 4 cores, ns per bin.
// Below this many entries a task does not pay for its call. Shape B: 0.93 with 12544 entries in a task, 0.86 with 25088.
constexpr int64_t kEntriesPerTask = 24576;
// Planes of a block share a core's second-level cache with the rows that pass through it. Shape E: 1.59 with 4 planes, 1.77
// with 8; on shape A, 0.77 with 4, 0.80 with 8.
constexpr int64_t kPixelsPerTask = 131072;
// Tasks per thread that let a thread that is held up leave its share to the others.
constexpr int64_t kTasksPerThread = 4;

}  // namespace

GradTasks ChooseGradTasks(const CallSizes& sizes, int32_t threads, const CallKnobs& knobs) noexcept {
  GradTasks tasks;
  tasks.prefetch_distance = knobs.prefetch_distance;
  tasks.group_channels = knobs.group_channels;
  const int64_t entries_per_channel = sizes.rois * sizes.bins;
  if (entries_per_channel * sizes.channels <= kEntriesPerTask && knobs.channel_block == 0) {
    tasks.images_per_task = static_cast<int32_t>(sizes.images);
    tasks.channel_block = static_cast<int32_t>(sizes.channels);
    return tasks;
  }

  // Fewer planes than threads could share: smaller blocks than a kernel likes are still better than idle threads.
  const int64_t planes_per_thread = (sizes.channels * sizes.images + threads - 1) / threads;
  int64_t block = std::min<int64_t>(knobs.channel_block > 0 ? knobs.channel_block : kMaxGroupChannels, planes_per_thread);
  if (block == kMaxGroupChannels && knobs.channel_block == 0) {
    const auto is_worth_doubling = [&] {
      return block * entries_per_channel / sizes.images < kEntriesPerTask && 2 * block * sizes.pixels <= kPixelsPerTask &&
             sizes.channels * sizes.images / (2 * block) >= kTasksPerThread * threads;
    };
    while (is_worth_doubling()) block *= 2;
  }
  tasks.channel_block = static_cast<int32_t>(std::min(block, sizes.channels));
  return tasks;
}

}  // namespace roipool::internal
