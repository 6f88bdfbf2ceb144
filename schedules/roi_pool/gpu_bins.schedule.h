// The forward on a GPU: one thread for each bin of each channel, which searches its window and stores what it found.
#include "gpu_blocks.h"

#define ROIPOOL_KNOBS(KNOB)

namespace roipool::schedules::gpu_bins {

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuPoolStages& stages, const Halide::Target& /*target*/, const Knobs& /*knobs*/) {
  const std::vector<Halide::OutputImageParam> outputs = stages.pooled.output_buffers();
  const BinLoops<Halide::Var> loops = {
      stages.pw, stages.ph, stages.channel, stages.roi, outputs.front().dim(0).extent(), outputs.front().dim(1).extent()};
  stages.best.compute_at(stages.pooled, run_bin_by_bin(Halide::Stage(stages.pooled), loops, stages.tile));
}

}  // namespace roipool::schedules::gpu_bins
