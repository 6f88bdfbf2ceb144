// The gradient on a GPU in fixed point, a plane for each block of threads: summed in shared memory, written once. Halide's CUDA
// runtime leaves a block 48 KiB, so larger planes go to gpu_fixed_point.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB) KNOB(block_threads, 256, 64, 1024, "threads of a block, all of which add to one plane")

namespace roipool::schedules::gpu_shared_planes {

constexpr bool kIsFixedPoint = true, kIsByPlane = true;
constexpr int kMaxPixels = 6144;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& knobs) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  // Threads are bins of several rois, so that their counts are those of the call. CUDA ends the third dimension at 64.
  const Halide::Expr rois_at_once = Halide::clamp(knobs.block_threads / (stages.tile_w * stages.tile_h), 1, 64);
  const auto run_in_block = [&](Halide::Stage planes) {
    Halide::Var outer("outer"), inner("inner"), rows("rows"), x("x"), y("y"), z("z");
    planes.split(stages.pixel, outer, inner, stages.tile_w * stages.tile_h * rois_at_once, tail)
        .split(inner, rows, x, stages.tile_w, tail)
        .split(rows, z, y, stages.tile_h, tail)
        .gpu_threads(x, y, z)
        .never_partition_all();
    return outer;
  };
  const Halide::Var outer = run_in_block(Halide::Stage(stages.sum)), block("block");
  stages.sum.reorder(outer, stages.channel, stages.image).fuse(stages.channel, stages.image, block).gpu_blocks(block);
  stages.plane.compute_at(stages.sum, block).store_in(Halide::MemoryType::GPUShared);
  run_in_block(Halide::Stage(stages.plane));
  Halide::RVar wo("wo"), wi("wi"), ho("ho"), hi("hi"), ro("ro"), ri("ri");
  stages.plane.update()
      .atomic()
      .split(stages.entries.x, wo, wi, stages.tile_w, tail)
      .split(stages.entries.y, ho, hi, stages.tile_h, tail)
      .split(stages.entries.z, ro, ri, rois_at_once, tail)
      .reorder(wo, ho, wi, hi, ri, ro)
      .gpu_threads(wi, hi, ri)
      .never_partition_all();
  schedule_float_sum(stages, target, knobs.block_threads);
}

}  // namespace roipool::schedules::gpu_shared_planes
