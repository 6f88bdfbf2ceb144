// What schedules of the GPU's gradient share: one thread for each bin, atomic additions in global memory.
#ifndef ROIPOOL_SCHEDULES_GPU_SCATTER_H_
#define ROIPOOL_SCHEDULES_GPU_SCATTER_H_

#include "schedule.h"

namespace roipool::schedules {

/// Threads of a block take neighbouring bins of neighbouring channels, which lie side by side in memory; blocks run over the
/// rest. They are counted in one dimension, as the others end at 65535. Not partitioned: a loop for full blocks and another for
/// the last saved nothing and cost registers.
inline void scatter_bin_by_bin(Halide::Func& sum, int update_index, const Halide::RDom& entries,
                               const generators::GpuGradStages& stages, const Halide::Target& target) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
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
      .reorder(wo, ho, wi, hi, ci, co, entries.z)
      .fuse(co, entries.z, block)
      .gpu_blocks(block)
      .gpu_threads(wi, hi, ci)
      .never_partition_all();
}

/// A loop over (pixel, channel, image) with `threads` pixels a block.
inline void run_over_planes(Halide::Func& planes, const generators::GpuGradStages& stages, int threads) {
  Halide::Var outer("outer"), inner("inner"), block("block");
  planes.split(stages.pixel, outer, inner, threads, Halide::TailStrategy::GuardWithIf)
      .reorder(inner, outer, stages.channel, stages.image)
      .fuse(outer, stages.channel, block)
      .fuse(block, stages.image, block)
      .gpu_threads(inner)
      .gpu_blocks(block)
      .never_partition_all();
}

/// Fixed point's second sum, which is there for gradients that are not finite.
inline void schedule_float_sum(generators::GpuGradStages& stages, const Halide::Target& target, int threads) {
  run_over_planes(stages.float_sum, stages, threads);
  scatter_bin_by_bin(stages.float_sum, 0, stages.float_entries, stages, target);
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_SCATTER_H_
