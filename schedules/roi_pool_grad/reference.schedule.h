// The gradient with nothing scheduled but what must have a place: the plainest loops, to compare other schedules with.
#include "schedule.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::reference {

struct Knobs {};

inline void apply_schedule(generators::GradStages& stages, const Halide::Target& /*target*/, const Knobs& /*knobs*/) {
  stages.target_row.compute_at(stages.sum, stages.entries.y);
  for (Halide::Func* check : {&stages.is_odd, &stages.is_bad, &stages.pixel_limit}) {
    check->compute_at(stages.sum, stages.entries.y);
  }
}

}  // namespace roipool::schedules::reference
