// The forward with nothing scheduled but what must have a place.
#include "schedule.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::reference {

struct Knobs {};

inline void apply_schedule(generators::PoolStages& stages, const Halide::Target& /*target*/, const Knobs& /*knobs*/) {
  // Edges are computed per bin: inline, the window's loop bounds would hold them once per use.
  for (Halide::Func* edge : {&stages.begin_w, &stages.end_w, &stages.begin_h, &stages.end_h}) {
    edge->compute_at(stages.pooled, stages.pw);
  }
  stages.best.compute_at(stages.pooled, stages.pw);
}

}  // namespace roipool::schedules::reference
