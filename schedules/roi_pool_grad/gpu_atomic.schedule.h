// The gradient on a GPU in floats: one thread for each bin, atomic additions in global memory.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::gpu_atomic {

constexpr bool kIsFixedPoint = false, kIsByPlane = false;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& /*knobs*/) {
  scatter_bin_by_bin(stages.sum, 0, stages.entries, stages, target);
}

}  // namespace roipool::schedules::gpu_atomic
