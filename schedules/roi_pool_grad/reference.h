// The gradient with nothing scheduled but what must have a place: the plainest loops, to compare other schedules with.
#ifndef ROIPOOL_SCHEDULES_ROI_POOL_GRAD_REFERENCE_H_
#define ROIPOOL_SCHEDULES_ROI_POOL_GRAD_REFERENCE_H_

#include "stages.h"

namespace roipool::schedules {

inline void ScheduleGradReference(generators::GradStages& stages) {
  stages.target_row.compute_at(stages.sum, stages.entries.y);
  for (Halide::Func* check : {&stages.is_odd, &stages.is_bad, &stages.pixel_limit}) {
    check->compute_at(stages.sum, stages.entries.y);
  }
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_ROI_POOL_GRAD_REFERENCE_H_
