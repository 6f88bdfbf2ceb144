// The gradient on a GPU in fixed point: one thread for each bin, atomic additions of int64 in global memory, the same in any
// order.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB) KNOB(zeroing_threads, 256, 32, 1024, "threads of a block that zeroes sums")

namespace roipool::schedules::gpu_fixed_point {

constexpr bool kIsFixedPoint = true, kIsByPlane = false;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& knobs) {
  run_over_planes(stages.sum, stages, knobs.zeroing_threads);
  scatter_bin_by_bin(stages.sum, 0, stages.entries, stages, target);
  schedule_float_sum(stages, target, knobs.zeroing_threads);
}

}  // namespace roipool::schedules::gpu_fixed_point
