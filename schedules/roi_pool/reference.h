// The forward with nothing scheduled but what must have a place.
#ifndef ROIPOOL_SCHEDULES_ROI_POOL_REFERENCE_H_
#define ROIPOOL_SCHEDULES_ROI_POOL_REFERENCE_H_

#include "stages.h"

namespace roipool::schedules {

inline void SchedulePoolReference(generators::PoolStages& stages) {
  // Edges are computed per bin: inline, the window's loop bounds would hold them once per use.
  for (Halide::Func* edge : {&stages.begin_w, &stages.end_w, &stages.begin_h, &stages.end_h}) {
    edge->compute_at(stages.pooled, stages.pw);
  }
  stages.best.compute_at(stages.pooled, stages.pw);
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_ROI_POOL_REFERENCE_H_
