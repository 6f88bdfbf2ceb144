#include "bin_edges.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::select;

// Far beyond every map and exact in float32. Coordinates are clamped to it before they become integers, so that none wraps.
constexpr float kFarAway = 1099511627776.0f;  // 2^40

Expr RoundHalfAwayFromZero(const Expr& value) {
  // Not floor(|value| + 0.5): that sum rounds 0.49999997 up to 1.
  const Expr magnitude = abs(value), whole = floor(magnitude);
  const Expr rounded = select(magnitude - whole >= 0.5f, whole + 1.0f, whole);
  return select(value < 0.0f, -rounded, rounded);
}

}  // namespace

BinEdges EdgesOf(const Expr& bin, const BoxAxis& axis) {
  const auto far_clamp = [](const Expr& value) { return clamp(value, -kFarAway, kFarAway); };
  const auto to_pixel = [&](const Expr& edge) {
    return cast<int32_t>(clamp(edge, cast<int64_t>(0), cast<int64_t>(axis.size)));
  };
  const Expr bin_count = cast<float>(axis.bins), next_bin = cast<float>(bin + 1), this_bin = cast<float>(bin);

  // kTorchvision: whole corners, whose differences and sums torchvision takes in integers.
  const Expr whole_begin = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(axis.corner_begin * axis.scale)));
  const Expr whole_end = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(axis.corner_end * axis.scale)));
  const Expr whole_bin = cast<float>(max(whole_end - whole_begin + 1, cast<int64_t>(1))) / bin_count;
  const BinEdges whole = {cast<int64_t>(floor(this_bin * whole_bin)) + whole_begin,
                          cast<int64_t>(ceil(next_bin * whole_bin)) + whole_begin};

  // kAclnn: corners stay where they are.
  const Expr exact_begin = far_clamp(axis.corner_begin * axis.scale);
  const Expr exact_end = far_clamp((axis.corner_end + 1.0f) * axis.scale);
  const Expr exact_bin = (exact_end - exact_begin) / bin_count;
  const Expr has_size = exact_end > exact_begin;
  const BinEdges exact = {
      select(has_size, cast<int64_t>(floor(exact_begin + this_bin * exact_bin)), cast<int64_t>(0)),
      select(has_size, cast<int64_t>(ceil(exact_begin + next_bin * exact_bin)), cast<int64_t>(0)),
  };
  return {to_pixel(select(axis.rounds_corners, whole.begin, exact.begin)),
          to_pixel(select(axis.rounds_corners, whole.end, exact.end))};
}

}  // namespace roipool::generators
