// How GPUs' schedules hand bins to threads.
#ifndef ROIPOOL_SCHEDULES_GPU_BLOCKS_H_
#define ROIPOOL_SCHEDULES_GPU_BLOCKS_H_

#include "schedule.h"

namespace roipool::schedules {

constexpr int kMaxBlocks = 65535;  ///< In the second and third dimension of a grid.

/// The loops over bins: Vars of a definition, or RVars of an update.
template <typename Loop>
struct BinLoops {
  Loop w, h, channel, roi;
  Halide::Expr width, height;  ///< Bins of a roi.
};

/// Threads of a block take neighbouring bins of neighbouring channels, which lie side by side in memory; blocks run over the
/// rest. No thread loops over bins. A grid's first dimension takes 2^31 - 1 blocks and the others 65535, so rois and channels
/// go to the first, and the host launches again for the bins that do not fit the others. Not partitioned: a loop for full
/// blocks and another for the last saved nothing and cost registers. Returns the innermost loop.
template <typename Loop>
Loop run_bin_by_bin(Halide::Stage stage, const BinLoops<Loop>& loops, const generators::ThreadTile& tile) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  Loop wo("wo"), wi("wi"), ho("ho"), hi("hi"), co("co"), ci("ci"), block("block");
  Loop columns("columns"), rows("rows"), w("w"), h("h");
  stage.split(loops.w, columns, w, Halide::min(loops.width, tile.w * kMaxBlocks), tail)
      .split(w, wo, wi, tile.w, tail)
      .split(loops.h, rows, h, Halide::min(loops.height, tile.h * kMaxBlocks), tail)
      .split(h, ho, hi, tile.h, tail)
      .split(loops.channel, co, ci, tile.channels, tail)
      .reorder(wi, hi, ci, co, loops.roi, ho, wo, rows, columns)
      .fuse(co, loops.roi, block)
      .gpu_blocks(block, ho, wo)
      .gpu_threads(wi, hi, ci)
      .never_partition_all();
  return wi;
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_BLOCKS_H_
