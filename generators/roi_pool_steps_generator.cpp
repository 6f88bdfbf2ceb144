// The steps before the forward's search, none of which has a choice of schedules: bin edges, and maps with channels side by
// side.
#include "Halide.h"
#include "bin_edges.h"
#include "kernel_layout.h"
#include "tile_transpose.h"

namespace roipool::generators {
namespace {

using Halide::Expr;
using Halide::select;
using Halide::Var;

/// One axis of all boxes. A window is searched from its last pixel to its first, so pixels count from the map's end: side 0 is
/// the number of those behind the bin, side 1 that of those from its begin on.
class RoiPoolEdges : public Halide::Generator<RoiPoolEdges> {
 public:
  Input<Buffer<float, 2>> corners{"corners"};  // (begin end, roi) along the axis; any strides
  Input<float> spatial_scale{"spatial_scale"};
  Input<bool> rounds_corners{"rounds_corners"};
  Input<int32_t> size{"size"};
  Output<Buffer<int32_t, 3>> edges{"edges"};  // (bin along the axis, side, roi)

  void generate() {
    const BinEdges of_bin = EdgesOf(
        bin_, {corners(0, roi_), corners(1, roi_), spatial_scale, rounds_corners, edges.dim(0).extent(), size}, NativeSingle());
    edges(bin_, side_, roi_) = size - select(side_ == 0, of_bin.end, of_bin.begin);
  }

  void schedule() {
    corners.dim(0).set_bounds(0, 2).set_stride(Expr());
    corners.dim(1).set_min(0);
    edges.dim(0).set_min(0);
    edges.dim(1).set_bounds(0, 2);
    edges.dim(2).set_bounds(0, corners.dim(1).extent());
    edges.bound(side_, 0, 2).reorder(side_, bin_, roi_).unroll(side_);
  }

 private:
  Var side_{"side"}, bin_{"bin"}, roi_{"roi"};
};

/// Planes to pixels of channels side by side, for chosen tiles of kChannelVector pixels. Rows shorter than that make tiles as
/// long as they are. Moves bits, of whatever type.
class ChannelVectors : public Halide::Generator<ChannelVectors> {
 public:
  GeneratorParam<int> bits{"bits", 32};

  Input<Buffer<void, 3>> x{"x"};  // (w, h, channel); any strides; fast where columns are dense
  // The first pixel of each, as h * W + w: at least kChannelVector before the row's end, or the row's first. Ascending.
  Input<Buffer<int32_t, 1>> tiles{"tiles"};
  // (channel, pixel); channels by multiples of kChannelVector, with copies of the last one behind it.
  Output<Buffer<void, 2>> vectors{"vectors"};

  void configure() {
    x.set_type(Halide::UInt(bits));
    vectors.set_type(Halide::UInt(bits));
  }

  void generate() {
    width_ = x.dim(0).extent();
    const Expr height = x.dim(1).extent(), channels = x.dim(2).extent();
    pixels_ = Halide::RDom(0, Halide::min(kChannelVector, width_), 0, tiles.dim(0).extent(), "pixels");
    const auto first_of = [&](const Expr& tile) { return unsafe_promise_clamped(tiles(tile), 0, width_ * height - 1); };
    transpose_ = TileTranspose(
        "vectors", kChannelVector, 2, [&](const Expr& channel, const Expr& pixel, const TileTranspose::Tile& tile) {
          const Expr first = first_of(tile[1]);
          const Expr w = unsafe_promise_clamped(first % width_ + Halide::min(pixel, width_ - 1), 0, width_ - 1);
          return x(w, unsafe_promise_clamped(first / width_, 0, height - 1),
                   Halide::min(tile[0] * kChannelVector + channel, channels - 1));
        });
    vectors(channel_, pixel_) = Halide::undef(Halide::UInt(bits));
    const Expr written = unsafe_promise_clamped(first_of(pixels_.y) + pixels_.x, 0, width_ * height - 1);
    vectors(channel_, written) = transpose_(channel_ % kChannelVector, pixels_.x, {channel_ / kChannelVector, pixels_.y});
  }

  void schedule() {
    for (int d = 0; d < 3; ++d) x.dim(d).set_min(0);
    x.dim(0).set_stride(Expr());
    tiles.dim(0).set_min(0);
    const Expr lanes = vectors.dim(0).extent();
    vectors.dim(0).set_bounds(0, lanes / kChannelVector * kChannelVector);
    vectors.dim(1).set_bounds(0, width_ * x.dim(1).extent());

    // All tiles of one group of channels before the next: its planes are few enough for the core to fetch ahead. Two Zen 4
    // cores, one thread, float32, 64 channels, ms for the whole maps: shape A 0.58, B 0.69, E 8.6; with the groups of a tile in
    // turn 1.43, 1.61, 23.1. Eight channels instead of sixteen, in turn: 1.55, 1.83, 21.8.
    Var lane("lane"), group("group");
    const auto in_vectors = [&](Halide::Stage stage) {
      return stage.split(channel_, group, lane, kChannelVector, Halide::TailStrategy::RoundUp)
          .reorder(lane, pixels_.x, pixels_.y, group)
          .vectorize(lane);
    };
    Halide::Stage update = vectors.update();
    in_vectors(update.specialize(width_ >= kChannelVector && x.dim(0).stride() == 1)).unroll(pixels_.x);
    in_vectors(update);
    transpose_.ComputeAt(vectors, pixels_.y);
  }

 private:
  Var channel_{"channel"}, pixel_{"pixel"};
  Halide::RDom pixels_;  // x: of a tile; y: tiles.
  Expr width_;
  TileTranspose transpose_;
};

}  // namespace
}  // namespace roipool::generators

HALIDE_REGISTER_GENERATOR(roipool::generators::RoiPoolEdges, roi_pool_edges)
HALIDE_REGISTER_GENERATOR(roipool::generators::ChannelVectors, channel_vectors)
