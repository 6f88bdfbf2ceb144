// The forward on a CPU, simply: tasks over roi x block of channels, each window searched pixel by pixel.
#include "schedule.h"

#define ROIPOOL_KNOBS(KNOB) KNOB(channel_block, 32, 1, 4096, "channels of one roi that one task pools")

namespace roipool::schedules::cpu_rois {

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::PoolStages& stages, const Halide::Target& /*target*/, const Knobs& knobs) {
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

}  // namespace roipool::schedules::cpu_rois
