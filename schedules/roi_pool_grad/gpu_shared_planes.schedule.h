// The gradient on a GPU in fixed point, a plane for each block of threads: summed in shared memory, written once. Halide's CUDA
// runtime leaves a block 48 KiB; larger planes are refused.
#include "gpu_scatter.h"

#define ROIPOOL_KNOBS(KNOB) \
  KNOB(block_threads, 256, 256, 1024, "threads of a block at most, as many rois at once as there are bins for")

namespace roipool::schedules::gpu_shared_planes {

constexpr bool kIsFixedPoint = true, kIsByPlane = true;
constexpr int kMaxPixels = 6144;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

// Threads are the bins of a roi, or of a tile of it, times rois: so no thread divides to find its bin.
inline void apply_schedule(generators::GpuGradStages& stages, const Halide::Target& target, const Knobs& knobs) {
  const auto tail = Halide::TailStrategy::GuardWithIf;
  // A block has no more than 64 threads in its third dimension.
  const Halide::Expr bins = stages.tile.w * stages.tile.h,
                     rois = Halide::clamp(knobs.block_threads / Halide::max(bins, 1), 1, 64);
  const auto run_in_block = [&](auto step) {
    Halide::Var outer("outer"), inner("inner"), x("x"), y("y"), z("z");
    step.split(stages.pixel, outer, inner, bins * rois, tail)
        .split(inner, inner, x, stages.tile.w, tail)
        .split(inner, z, y, stages.tile.h, tail)
        .reorder(x, y, z, outer)
        .gpu_threads(x, y, z);
    return outer;
  };
  const Halide::Var outer = run_in_block(Halide::Stage(stages.sum));
  const Halide::Var block("block");
  stages.sum.reorder(outer, stages.channel, stages.image).fuse(stages.channel, stages.image, block).gpu_blocks(block);
  stages.plane.compute_at(stages.sum, block).store_in(Halide::MemoryType::GPUShared);
  run_in_block(Halide::Stage(stages.plane));
  Halide::RVar wo("wo"), wi("wi"), ho("ho"), hi("hi"), ro("ro"), ri("ri"), tile("tile");
  stages.plane.update()
      .atomic()
      .split(stages.entries.x, wo, wi, stages.tile.w, tail)
      .split(stages.entries.y, ho, hi, stages.tile.h, tail)
      .split(stages.entries.z, ro, ri, rois, tail)
      .reorder(wi, hi, ri, wo, ho, ro)
      .fuse(wo, ho, tile)
      .gpu_threads(wi, hi, ri)
      .never_partition_all();
  scatter_bin_by_bin(stages.float_sum, stages.float_entries, stages, target);
}

}  // namespace roipool::schedules::gpu_shared_planes
