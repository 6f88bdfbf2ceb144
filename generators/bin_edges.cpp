#include "bin_edges.h"

#include "number_formats.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::select;

// Far beyond every map and exact in float32. Coordinates are clamped to it before they become integers, so that none wraps.
constexpr float kFarAway = 1099511627776.0f;  // 2^40

Expr Constant(const Expr& like, float value) { return Halide::Internal::make_const(like.type(), static_cast<double>(value)); }

// Exact but for the number's own rounding.
Expr RoundHalfAwayFromZero(const Expr& value) {
  // Not floor(|value| + 0.5): that sum rounds 0.49999997 up to 1.
  const Expr magnitude = abs(value), whole = floor(magnitude);
  const Expr rounded = select(magnitude - whole >= Constant(value, 0.5f), whole + Constant(value, 1.0f), whole);
  return select(value < Constant(value, 0.0f), -rounded, rounded);
}

}  // namespace

SingleArithmetic NativeSingle() {
  return {Halide::Float(32), [](const Expr& result) { return result; }};
}

SingleArithmetic RoundedDouble() { return {Halide::Float(64), RoundToSingle}; }

BinEdges EdgesOf(const Expr& bin, const BoxAxis& axis, const SingleArithmetic& single) {
  const auto& rounded = single.rounded;
  const auto number = [&](const Expr& integer) { return rounded(cast(single.type, integer)); };
  const auto far_clamp = [](const Expr& value) { return clamp(value, Constant(value, -kFarAway), Constant(value, kFarAway)); };
  const auto to_pixel = [&](const Expr& edge) {
    return cast<int32_t>(clamp(edge, cast<int64_t>(0), cast<int64_t>(axis.size)));
  };
  const Expr bin_count = number(axis.bins), next_bin = number(bin + 1), this_bin = number(bin);

  // kTorchvision: whole corners, whose differences and sums torchvision takes in integers.
  const Expr scaled_begin = rounded(axis.corner_begin * axis.scale), scaled_end = rounded(axis.corner_end * axis.scale);
  const Expr whole_begin = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(scaled_begin)));
  const Expr whole_end = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(scaled_end)));
  const Expr whole_bin = rounded(number(max(whole_end - whole_begin + 1, cast<int64_t>(1))) / bin_count);
  const BinEdges whole = {cast<int64_t>(floor(rounded(this_bin * whole_bin))) + whole_begin,
                          cast<int64_t>(ceil(rounded(next_bin * whole_bin))) + whole_begin};

  // kAclnn: corners stay where they are.
  const Expr exact_begin = far_clamp(scaled_begin);
  const Expr past_end = rounded(axis.corner_end + Constant(axis.corner_end, 1.0f));
  const Expr exact_end = far_clamp(rounded(past_end * axis.scale));
  const Expr exact_bin = rounded(rounded(exact_end - exact_begin) / bin_count);
  const Expr has_size = exact_end > exact_begin;
  const auto edge_at = [&](const Expr& which) { return rounded(exact_begin + rounded(which * exact_bin)); };
  const BinEdges exact = {
      select(has_size, cast<int64_t>(floor(edge_at(this_bin))), cast<int64_t>(0)),
      select(has_size, cast<int64_t>(ceil(edge_at(next_bin))), cast<int64_t>(0)),
  };
  return {to_pixel(select(axis.rounds_corners, whole.begin, exact.begin)),
          to_pixel(select(axis.rounds_corners, whole.end, exact.end))};
}

}  // namespace roipool::generators
