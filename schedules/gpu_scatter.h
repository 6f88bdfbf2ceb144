// What schedules of the GPU's gradient share: one thread for each bin, atomic additions in global memory.
#ifndef ROIPOOL_SCHEDULES_GPU_SCATTER_H_
#define ROIPOOL_SCHEDULES_GPU_SCATTER_H_

#include "gpu_blocks.h"

namespace roipool::schedules {

/// For a Func that begins with what is there: Halide 21 takes its first definition, of which nothing remains, for the host's.
inline void leave_alone(Halide::Func func) { func.gpu_single_thread(); }

/// A thread for each bin; none loops, which halves its registers. Returns the innermost loop.
inline Halide::RVar scatter_bin_by_bin(Halide::Func& sum, const Halide::RDom& entries, const generators::GpuGradStages& stages,
                                       const Halide::Target& target) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  leave_alone(sum);
  Halide::Stage update = sum.update();
  if (target.has_feature(Halide::Target::OpenCL) &&
      (sum.type() == Halide::Float(64) || stages.sum.type() == Halide::Float(64))) {
    // Halide 21 adds float64 atomically by OpenCL's function for 32 bits, which does not compile. So a thread has a channel of
    // its own.
    Halide::RVar co("co"), ci("ci");
    update.allow_race_conditions()
        .split(entries.w, co, ci, 64, tail)
        .reorder(entries.x, entries.y, entries.z, ci, co)
        .gpu_blocks(co)
        .gpu_threads(ci)
        .never_partition_all();
    return entries.x;
  }
  const BinLoops<Halide::RVar> loops = {entries.x, entries.y, entries.w, entries.z, entries.x.extent(), entries.y.extent()};
  return run_bin_by_bin(update.atomic(), loops, stages.tile);
}

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_GPU_SCATTER_H_
