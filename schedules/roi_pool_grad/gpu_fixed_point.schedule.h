// The gradient on a GPU in fixed point: one thread for each bin, atomic additions of int64 in global memory, the same in any
// order.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::gpu_fixed_point {

constexpr bool kIsFixedPoint = true, kIsByPlane = false;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& /*knobs*/) {
  scatter_bin_by_bin(stages.sum, stages.entries, stages, target);
  scatter_bin_by_bin(stages.float_sum, stages.float_entries, stages, target);
}

}  // namespace roipool::schedules::gpu_fixed_point
