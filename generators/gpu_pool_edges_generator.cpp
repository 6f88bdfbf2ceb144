// The step before the GPU's forward that has no choice of schedules: where bins begin and end.
#include "Halide.h"
#include "bin_edges.h"
#include "unit_numbers.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::select;
using Halide::Var;

/// One axis of all boxes: the same edges as the CPU's step roi_pool_edges, on every device.
class GpuPoolEdges : public Halide::Generator<GpuPoolEdges> {
 public:
  Input<Buffer<uint16_t, 3>> rois{"rois"};  // (unit, column, roi); any strides
  Input<int32_t> exponent_bits{"exponent_bits"};
  Input<int32_t> begin_column{"begin_column"}, end_column{"end_column"};  // Of the corners along the axis.
  Input<Buffer<int32_t, 1>> images{"images"};                             // (roi)
  Input<double> spatial_scale{"spatial_scale"};                           // A float32.
  Input<bool> rounds_corners{"rounds_corners"};
  Input<int32_t> size{"size"};
  Output<Buffer<int32_t, 3>> edges{"edges"};  // (bin along the axis, side, roi): begin, end; of what has no image 0, 0

  void generate() {
    const UnitFormat format = {rois.dim(0).extent(), exponent_bits};
    const auto corner = [&](const Expr& column) {
      const Expr within = unsafe_promise_clamped(column, 0, kRoiColumns - 1);
      return SingleNumber(format, JoinUnits(format, [&](const Expr& u) { return rois(u, within, roi_); }));
    };
    const BinEdges of_bin =
        EdgesOf(bin_, {corner(begin_column), corner(end_column), spatial_scale, rounds_corners, edges.dim(0).extent(), size},
                RoundedDouble());
    edges(bin_, side_, roi_) = select(images(roi_) < 0, 0, side_ == 0, of_bin.begin, of_bin.end);
    rois.dim(0).set_min(0);
    rois.dim(1).set_bounds(0, kRoiColumns);
    rois.dim(2).set_bounds(0, edges.dim(2).extent());
    images.dim(0).set_bounds(0, edges.dim(2).extent());
    edges.dim(0).set_min(0);
    edges.dim(1).set_bounds(0, 2);
    edges.dim(2).set_min(0);
  }

  void schedule() {
    constexpr int kThreads = 128;
    Var fused{"fused"}, outer{"outer"}, inner{"inner"};
    Func table = edges;
    table.bound(side_, 0, 2)
        .reorder(side_, bin_, roi_)
        .unroll(side_)
        .fuse(bin_, roi_, fused)
        .split(fused, outer, inner, kThreads, Halide::TailStrategy::GuardWithIf)
        .gpu_blocks(outer)
        .gpu_threads(inner)
        .never_partition_all();
    table.specialize(rounds_corners);  // A thread knows one geometry, and needs fewer registers.
  }

 private:
  Var bin_{"bin"}, side_{"side"}, roi_{"roi"};
};

}  // namespace
}  // namespace roipool::generators

HALIDE_REGISTER_GENERATOR(roipool::generators::GpuPoolEdges, gpu_pool_edges)
