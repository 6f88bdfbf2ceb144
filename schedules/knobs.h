// Every number that a schedule may be tuned by, declared once: name, default, smallest, largest, meaning. Each becomes a
// GeneratorParam of the operator's generator and a field of its Knobs.
#ifndef ROIPOOL_SCHEDULES_KNOBS_H_
#define ROIPOOL_SCHEDULES_KNOBS_H_

#define ROIPOOL_GRAD_KNOBS(KNOB) KNOB(bins_per_step, 2, 1, 16, "bins of a row that one step of the scatter's loop adds")

#define ROIPOOL_POOL_KNOBS(KNOB) KNOB(channel_block, 32, 1, 4096, "channels of one roi that one task pools")

namespace roipool::schedules {

#define ROIPOOL_KNOB_FIELD(name, initial, smallest, largest, meaning) int name = initial;
struct GradKnobs {
  ROIPOOL_GRAD_KNOBS(ROIPOOL_KNOB_FIELD)
};
struct PoolKnobs {
  ROIPOOL_POOL_KNOBS(ROIPOOL_KNOB_FIELD)
};
#undef ROIPOOL_KNOB_FIELD

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_KNOBS_H_
