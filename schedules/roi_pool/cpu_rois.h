// The forward on a CPU, simply: tasks over roi x block of channels, each window searched pixel by pixel.
#ifndef ROIPOOL_SCHEDULES_ROI_POOL_CPU_ROIS_H_
#define ROIPOOL_SCHEDULES_ROI_POOL_CPU_ROIS_H_

#include "knobs.h"
#include "stages.h"

namespace roipool::schedules {

inline void SchedulePoolCpuRois(generators::PoolStages& stages, const PoolKnobs& knobs) {
  Halide::Var block("block"), channel_in_block("channel_in_block"), task("task");
  stages.pooled.split(stages.channel, block, channel_in_block, knobs.channel_block, Halide::TailStrategy::GuardWithIf)
      .reorder(stages.pw, stages.ph, channel_in_block, block, stages.roi)
      .fuse(block, stages.roi, task)
      .parallel(task);
  // Edges are the same for every channel: once per task.
  for (Halide::Func* edge : {&stages.begin_w, &stages.end_w, &stages.begin_h, &stages.end_h}) {
    edge->compute_at(stages.pooled, task);
  }
  stages.best.compute_at(stages.pooled, stages.pw);
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_ROI_POOL_CPU_ROIS_H_
