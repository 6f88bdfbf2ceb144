// What schedules of the GPU's gradient share: one thread for each bin, atomic additions in global memory.
#ifndef ROIPOOL_SCHEDULES_GPU_SCATTER_H_
#define ROIPOOL_SCHEDULES_GPU_SCATTER_H_

#include "schedule.h"

namespace roipool::schedules {

constexpr int kMaxBlocks = 65535;  ///< In the second and third dimension of a grid.

/// For a Func that begins with what is there: Halide 21 takes its first definition, of which nothing remains, for the host's.
inline void leave_alone(Halide::Func func) { func.gpu_single_thread(); }

/// Threads of a block take neighbouring bins of neighbouring channels, which lie side by side in memory; blocks run over the
/// rest. No thread loops, which halves its registers. A grid's first dimension takes 2^31 - 1 blocks and the others 65535, so
/// rois and channels go to the first, and the host launches again for the bins that do not fit the others. Not partitioned: a
/// loop for full blocks and another for the last saved nothing and cost registers. Returns the innermost loop.
inline Halide::RVar scatter_bin_by_bin(Halide::Func& sum, const Halide::RDom& entries, const generators::GpuGradStages& stages,
                                       const Halide::Target& target) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  leave_alone(sum);
  Halide::Stage update = sum.update();
  Halide::RVar wo("wo"), wi("wi"), ho("ho"), hi("hi"), co("co"), ci("ci"), block("block");
  if (target.has_feature(Halide::Target::OpenCL) &&
      (sum.type() == Halide::Float(64) || stages.sum.type() == Halide::Float(64))) {
    // Halide 21 adds float64 atomically by OpenCL's function for 32 bits, which does not compile. So a thread has a channel of
    // its own.
    update.allow_race_conditions()
        .split(entries.w, co, ci, 64, tail)
        .reorder(entries.x, entries.y, entries.z, ci, co)
        .gpu_blocks(co)
        .gpu_threads(ci)
        .never_partition_all();
    return entries.x;
  }
  Halide::RVar columns("columns"), rows("rows"), w("w"), h("h");
  const Halide::Expr width = entries.x.extent(), height = entries.y.extent();
  update.atomic()
      .split(entries.x, columns, w, Halide::min(width, stages.tile_w * kMaxBlocks), tail)
      .split(w, wo, wi, stages.tile_w, tail)
      .split(entries.y, rows, h, Halide::min(height, stages.tile_h * kMaxBlocks), tail)
      .split(h, ho, hi, stages.tile_h, tail)
      .split(entries.w, co, ci, stages.tile_channels, tail)
      .reorder(wi, hi, ci, co, entries.z, ho, wo, rows, columns)
      .fuse(co, entries.z, block)
      .gpu_blocks(block, ho, wo)
      .gpu_threads(wi, hi, ci)
      .never_partition_all();
  return wi;
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_SCATTER_H_
