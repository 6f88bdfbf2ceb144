// The forward on a CPU: windows searched for a vector of channels at a time, with value and pixel in registers, and rows of the
// result written through small transposes.
//
// Two Zen 4 cores with AVX-512, float32, one thread, argmax included. ns per bin on shapes A, B, C, E: 1.34, 1.45, 1.24, 6.6.
// Of shape A's time the search takes a third, the transposes a third, stores a fourth, the map's transposition 3 %.
// Tried and lost:
// - Tiles of 4 bins: 1.69, 1.88, 1.56, 8.5. Of 16, whose last of 49 bins is nearly empty: 1.60, 1.74, 1.25, 8.3.
// - With those of 16, one run: 32 channels at a time 1.67, 1.68, 1.38, 7.6; 16 channels 2.18, 2.12, 1.73, 9.7; 64 channels
//   1.54, 1.76, 1.29, 9.6.
// - A test of every bin for being the last of its tile, instead of a clamped read: 1.77 rather than 1.59 on A.
#include "kernel_layout.h"
#include "lowering/trim_loops.h"
#include "schedule.h"

#define ROIPOOL_KNOBS(KNOB) KNOB(searched_channels, 64, 16, 64, "channels that a window is searched for at a time, at most")

namespace roipool::schedules::cpu_channel_vectors {

constexpr bool kReadsChannelVectors = true;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::PoolStages& stages, const Halide::Target& /*target*/, const Knobs& knobs) {
  using Halide::TailStrategy;
  Halide::Var bin_tile("bin_tile"), bin_lane("bin_lane"), channel_tile("channel_tile"), channel_row("channel_row");
  const auto by_tiles = [&](Halide::Stage pooled) {
    return pooled.split(stages.bin, bin_tile, bin_lane, kBinTile, TailStrategy::GuardWithIf)
        .split(stages.channel, channel_tile, channel_row, kChannelVector, TailStrategy::GuardWithIf)
        .reorder(bin_lane, channel_row, channel_tile, bin_tile, stages.roi)
        .vectorize(bin_lane);
  };
  Halide::Var chunk("chunk"), lane("lane");
  const auto search = [&](const Halide::Stage& row, const Halide::Stage& nothing, const Halide::Stage& window, int channels) {
    Halide::Stage(row)
        .split(stages.channel, chunk, lane, channels, TailStrategy::RoundUp)
        .reorder(lane, chunk, stages.bin, stages.roi)
        .vectorize(lane);
    Halide::Stage(nothing).vectorize(stages.channel, channels);
    Halide::Stage(window).reorder(stages.channel, stages.window.x, stages.window.y).vectorize(stages.channel, channels);
  };

  for (int channels = kMaxSearchedChannels; channels > kChannelVector; channels /= 2) {
    const Halide::Expr has_so_many = stages.has_channels(channels);
    by_tiles(Halide::Stage(stages.pooled).specialize(has_so_many)).unroll(channel_row);
    int searched = channels;
    while (searched > knobs.searched_channels) searched /= 2;
    search(stages.row.specialize(has_so_many), stages.best.specialize(has_so_many),
           stages.best.update().specialize(has_so_many), searched);
  }
  by_tiles(stages.pooled);
  search(stages.row, stages.best, stages.best.update(), kChannelVector);

  stages.row.compute_at(stages.pooled, bin_tile)
      .store_in(Halide::MemoryType::Stack)
      .bound_storage(stages.bin, kBinTile)
      .bound_storage(stages.channel, kMaxSearchedChannels);
  stages.best.compute_at(stages.row, chunk).store_in(Halide::MemoryType::Stack);
  stages.value_tiles.ComputeAt(stages.pooled, channel_tile);
  stages.pixel_tiles.ComputeAt(stages.pooled, channel_tile);
  stages.pipeline.add_custom_lowering_pass(new TrimLoops({"window$y"}));
}

}  // namespace roipool::schedules::cpu_channel_vectors
