// How a forward is cut into tasks for a CPU's threads.
#ifndef ROIPOOL_RUNTIME_POOL_TASKS_H_
#define ROIPOOL_RUNTIME_POOL_TASKS_H_

#include <cstdint>

#include "call_knobs.h"
#include "kernel_layout.h"
#include "shape_class.h"

namespace roipool::internal {

/// A task is a block of channels of one image for a part of its rois. No two tasks write the same output, but parts of a shared
/// copy may: see window_tiles.h.
struct PoolTasks {
  int32_t channel_block = kChannelVector;  ///< A multiple of kChannelVector, at most kMaxSearchedChannels.
  int32_t parts = 1;                       ///< Of each image's rois.
  int32_t threads = 1;                     ///< As many as have work.

  /// Whether blocks of channels are copied before the tasks begin, once for all parts, rather than by each task for itself.
  bool shares_copies() const noexcept { return parts > 1; }

  int32_t Blocks(int64_t channels) const noexcept {
    return static_cast<int32_t>((channels + channel_block - 1) / channel_block);
  }
  int32_t Count(const CallSizes& sizes) const noexcept {
    return Blocks(sizes.channels) * static_cast<int32_t>(sizes.images) * parts;
  }
};

/// Follows from its arguments alone; the sizes are at least 1, but images may be 0.
PoolTasks ChoosePoolTasks(const CallSizes& sizes, int64_t element_size, int32_t threads, const CallKnobs& knobs = {}) noexcept;

/// Positions [begin, end) in the rois sorted by image.
struct Positions {
  int64_t begin, end;
};

/// Part `part` of `parts` of the rois of an image, which stand at `image`.
constexpr Positions PartOf(const Positions& image, int32_t part, int32_t parts) noexcept {
  const int64_t count = image.end - image.begin;
  return {image.begin + count * part / parts, image.begin + count * (part + 1) / parts};
}

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_POOL_TASKS_H_
