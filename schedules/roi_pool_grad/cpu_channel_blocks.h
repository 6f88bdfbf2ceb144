// The gradient on a CPU: tasks over image x block of channels, each with planes of its own.
#ifndef ROIPOOL_SCHEDULES_ROI_POOL_GRAD_CPU_CHANNEL_BLOCKS_H_
#define ROIPOOL_SCHEDULES_ROI_POOL_GRAD_CPU_CHANNEL_BLOCKS_H_

#include "knobs.h"
#include "stages.h"

namespace roipool::schedules {

inline void ScheduleGradCpuChannelBlocks(generators::GradStages& stages, const Halide::Target& target, const GradKnobs& knobs) {
  using Halide::TailStrategy;
  using Halide::Var;
  Var block("block"), channel_in_block("channel_in_block"), task("task");
  const int lanes = target.natural_vector_size(stages.sum_type);
  const auto& [pixel, channel, image] = std::tie(stages.pixel, stages.channel, stages.image);

  // No two tasks write the same plane, so there are no atomics and one order of addition for any number of threads.
  stages.grad_input.split(channel, block, channel_in_block, knobs.channel_block, TailStrategy::GuardWithIf)
      .reorder(pixel, channel_in_block, block, image)
      .vectorize(pixel, lanes, TailStrategy::GuardWithIf)
      .fuse(block, image, task)
      .parallel(task);

  stages.sum.compute_at(stages.grad_input, task).vectorize(pixel, lanes);
  stages.sum.update().reorder(stages.entries.x, channel, stages.entries.y, image);

  // 16-bit gradients one by one inside the scatter would each go through a false register dependency; a row converts at once.
  // Its storage is allocated for each roi: hoist_storage() fails to compile here (Halide 21), and store_at() with
  // fold_storage() is not folded, so that it would hold the rows of all rois.
  if (stages.type.bits() < 32) {
    stages.gradient_row.compute_at(stages.sum, stages.entries.y).vectorize(stages.bin, lanes, TailStrategy::GuardWithIf);
  }

  // The check reads a row just before its scatter does, so that it costs no second trip to memory.
  if (stages.checks_argmax) {
    Halide::RVar bins_outer("bins_outer"), bins_inner("bins_inner");
    stages.pixel_limit.compute_at(stages.sum, channel);
    stages.row_has_bad_entry.compute_at(stages.sum, channel);
    stages.row_has_bad_entry.update()
        .split(stages.row_bins, bins_outer, bins_inner, target.natural_vector_size<int32_t>(), TailStrategy::GuardWithIf)
        .atomic()
        .vectorize(bins_inner);
  }
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_ROI_POOL_GRAD_CPU_CHANNEL_BLOCKS_H_
