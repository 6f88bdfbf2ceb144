#include "pool_tasks.h"

#include <algorithm>
#include <limits>

namespace roipool::internal {
namespace {

// A second thread must have more to do than this many bins take: its start costs as much.
constexpr int64_t kBinsPerThread = 24576;
// A block of a map stays in a core's share of the last cache. float32, one thread, two Zen 4 cores, ns per bin:
// - shape E, whose 64 channels are 14 MB: 9.75 with blocks of 16, 7.63 with 32, 9.60 with 64;
// - shape A, whose blocks are small: 2.18, 1.67, 1.54.
constexpr int64_t kBytesPerBlock = 8 << 20;
// Tasks per thread that let a thread that is held up leave its share to the others.
constexpr int64_t kTasksPerThread = 2;

}  // namespace

PoolTasks ChoosePoolTasks(const CallSizes& sizes, int64_t element_size, int32_t threads, const CallKnobs& knobs) noexcept {
  PoolTasks tasks;
  const int64_t bins = sizes.rois * sizes.bins * sizes.channels;
  tasks.threads = static_cast<int32_t>(std::clamp<int64_t>(bins / kBinsPerThread, 1, threads));
  const int64_t wanted = tasks.threads == 1 ? 1 : tasks.threads * kTasksPerThread;

  tasks.channel_block = kMaxSearchedChannels;
  if (knobs.channel_block > 0) {
    const int32_t vectors = (knobs.channel_block + kChannelVector - 1) / kChannelVector;
    tasks.channel_block = std::min(vectors * kChannelVector, kMaxSearchedChannels);
  } else {
    const auto is_too_large = [&] {
      return tasks.channel_block * sizes.pixels * element_size > kBytesPerBlock ||
             sizes.images * tasks.Blocks(sizes.channels) < wanted;
    };
    while (tasks.channel_block > kChannelVector && is_too_large()) tasks.channel_block /= 2;
  }
  // A kernel counts a block's elements in 31 bits.
  if (tasks.channel_block * sizes.pixels > std::numeric_limits<int32_t>::max()) tasks.channel_block = kChannelVector;
  const int64_t blocks = std::max<int64_t>(sizes.images, 1) * tasks.Blocks(sizes.channels);
  tasks.parts = static_cast<int32_t>(std::clamp<int64_t>(tasks.threads / blocks, 1, sizes.rois));
  return tasks;
}

}  // namespace roipool::internal
