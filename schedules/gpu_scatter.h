// What schedules of the GPU's gradient share: one thread for each bin, atomic additions in global memory.
#ifndef ROIPOOL_SCHEDULES_GPU_SCATTER_H_
#define ROIPOOL_SCHEDULES_GPU_SCATTER_H_

#include "schedule.h"

namespace roipool::schedules {

/// Threads of a block take neighbouring bins of neighbouring channels, which lie side by side in memory; blocks run over the rest. They are
/// counted in one dimension, as the others end at 65535. Not partitioned: a loop for full blocks and another for the last saved nothing and
/// cost registers.
inline void scatter_bin_by_bin(Halide::Stage update, const Halide::RDom& entries, const generators::GpuGradStages& stages) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  Halide::RVar wo("wo"), wi("wi"), ho("ho"), hi("hi"), block("block");
  Halide::Var co("co"), ci("ci");
  update.atomic()
      .split(entries.x, wo, wi, stages.tile_w, tail)
      .split(entries.y, ho, hi, stages.tile_h, tail)
      .split(stages.channel, co, ci, stages.tile_channels, tail)
      .reorder(wo, ho, wi, hi, ci, co, entries.z)
      .fuse(co, entries.z, block)
      .gpu_blocks(block)
      .gpu_threads(wi, hi, ci)
      .never_partition_all();
}

/// A loop over (pixel, channel, image) with `threads` pixels a block.
template <typename Step, typename Pixel>
void run_over_planes(Step step, const Pixel& pixel, const generators::GpuGradStages& stages, int threads) {
  Pixel outer("outer"), inner("inner"), block("block");
  step.split(pixel, outer, inner, threads, Halide::TailStrategy::GuardWithIf)
      .reorder(inner, outer, stages.channel, stages.image)
      .fuse(outer, stages.channel, block)
      .fuse(block, stages.image, block)
      .gpu_threads(inner)
      .gpu_blocks(block)
      .never_partition_all();
}

/// Fixed point's second sum, which is there for gradients that are not finite.
inline void schedule_float_sum(generators::GpuGradStages& stages, int threads) {
  run_over_planes<Halide::Stage>(stages.float_sum, stages.pixel, stages, threads);  // Nothing, but said of the GPU.
  run_over_planes(stages.float_sum.update(0), stages.zeroed.x, stages, threads);
  scatter_bin_by_bin(stages.float_sum.update(1), stages.float_entries, stages);
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_SCATTER_H_
