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
/// rois and channels go to the first; where bins do not fit the others, all go to the first, at the price of divisions. Not
/// partitioned: a loop for full blocks and another for the last saved nothing and cost registers.
inline void scatter_bin_by_bin(Halide::Func& sum, int update_index, const Halide::RDom& entries,
                               const generators::GpuGradStages& stages, const Halide::Target& target) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  leave_alone(sum);
  Halide::Stage update = sum.update(update_index);
  if (target.has_feature(Halide::Target::OpenCL) && sum.type() == Halide::Float(64)) {
    // Halide 21 adds float64 atomically by OpenCL's function for 32 bits, which does not compile. So a thread has a channel of
    // its own.
    Halide::RVar block("block"), thread("thread");
    update.allow_race_conditions()
        .split(entries.w, block, thread, 64, tail)
        .reorder(entries.x, entries.y, entries.z, thread, block)
        .gpu_blocks(block)
        .gpu_threads(thread)
        .never_partition_all();
    return;
  }
  Halide::RVar wo("wo"), wi("wi"), ho("ho"), hi("hi"), co("co"), ci("ci"), block("block");
  update.atomic()
      .split(entries.x, wo, wi, stages.tile_w, tail)
      .split(entries.y, ho, hi, stages.tile_h, tail)
      .split(entries.w, co, ci, stages.tile_channels, tail)
      .reorder(wi, hi, ci, co, entries.z, ho, wo)
      .fuse(co, entries.z, block);
  update.specialize(entries.x.extent() <= kMaxBlocks && entries.y.extent() <= kMaxBlocks)
      .gpu_blocks(block, ho, wo)
      .gpu_threads(wi, hi, ci)
      .never_partition_all();
  update.fuse(block, ho, block).fuse(block, wo, block).gpu_blocks(block).gpu_threads(wi, hi, ci).never_partition_all();
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_SCATTER_H_
