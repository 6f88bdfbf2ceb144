// The gradient on a GPU in fixed point, a plane for each block of threads: summed in shared memory, written once. Halide's CUDA runtime leaves
// a block 48 KiB, so larger planes go to gpu_fixed_point.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB)                                                     \
  KNOB(bins_at_once, 64, 32, 256, "threads of a block along the bins of a roi") \
  KNOB(rois_at_once, 4, 1, 16, "threads of a block along the rois")

namespace roipool::schedules::gpu_shared_planes {

constexpr bool kIsFixedPoint = true, kIsByPlane = true;
constexpr int kMaxPixels = 6144;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& knobs) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  const auto run_in_block = [&](auto step) {
    Halide::Var outer("outer"), inner("inner"), x("x"), y("y");
    step.split(stages.pixel, outer, inner, knobs.bins_at_once * knobs.rois_at_once, tail)
        .split(inner, y, x, knobs.bins_at_once)
        .gpu_threads(x, y);
    return outer;
  };
  const Halide::Var outer = run_in_block(Halide::Stage(stages.sum));
  const Halide::Var block("block");
  stages.sum.reorder(outer, stages.channel, stages.image).fuse(stages.channel, stages.image, block).gpu_blocks(block);
  stages.plane.compute_at(stages.sum, block).store_in(Halide::MemoryType::GPUShared);
  run_in_block(Halide::Stage(stages.plane));
  Halide::RVar bin("bin"), bin_outer("bin_outer"), bin_inner("bin_inner"), roi_outer("roi_outer"), roi_inner("roi_inner");
  stages.plane.update()
      .atomic()
      .fuse(stages.entries.x, stages.entries.y, bin)
      .split(bin, bin_outer, bin_inner, knobs.bins_at_once, tail)
      .split(stages.entries.z, roi_outer, roi_inner, knobs.rois_at_once, tail)
      .reorder(bin_inner, roi_inner, bin_outer, roi_outer)
      .gpu_threads(bin_inner, roi_inner)
      .never_partition_all();
  schedule_float_sum(stages, target, knobs.bins_at_once * knobs.rois_at_once);
}

}  // namespace roipool::schedules::gpu_shared_planes
