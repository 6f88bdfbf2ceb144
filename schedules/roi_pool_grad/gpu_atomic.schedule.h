// The gradient on a GPU in floats: one thread for each bin, which checks its entry and adds it by an atomic addition in global
// memory.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::gpu_atomic {

constexpr bool kIsFixedPoint = false, kIsByPlane = false;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& /*knobs*/) {
  const Halide::RVar innermost = scatter_bin_by_bin(stages.sum, stages.entries, stages, target);
  scatter_bin_by_bin(stages.found_bad, stages.checked, stages, target);
  stages.found_bad.update().compute_with(stages.sum.update(), innermost);
}

}  // namespace roipool::schedules::gpu_atomic
