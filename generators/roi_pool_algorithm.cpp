#include "roi_pool_algorithm.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::Type;

// Far beyond every map and exact in float32. Coordinates are clamped to it before they become integers, so that none wraps.
constexpr float kFarAway = 1099511627776.0f;  // 2^40

Expr RoundHalfAwayFromZero(const Expr& value) {
  // Not floor(|value| + 0.5): that sum rounds 0.49999997 up to 1.
  const Expr magnitude = abs(value), whole = floor(magnitude);
  const Expr rounded = select(magnitude - whole >= 0.5f, whole + 1.0f, whole);
  return select(value < 0.0f, -rounded, rounded);
}

struct Edges {
  Expr begin, end;
};

// One axis of bin `bin` of `bins`, for a box from `corner_begin` to `corner_end` in image coordinates, clipped to [0, size).
Edges BinEdges(const Expr& bin, const Expr& bins, const Expr& corner_begin, const Expr& corner_end, const Expr& scale,
               const Expr& rounds_corners, const Expr& size) {
  const auto far_clamp = [](const Expr& value) { return clamp(value, -kFarAway, kFarAway); };
  const auto to_pixel = [&](const Expr& edge) { return cast<int32_t>(clamp(edge, cast<int64_t>(0), cast<int64_t>(size))); };
  const Expr bin_count = cast<float>(bins), next_bin = cast<float>(bin + 1), this_bin = cast<float>(bin);

  // kTorchvision: whole corners, whose differences and sums torchvision takes in integers.
  const Expr whole_begin = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(corner_begin * scale)));
  const Expr whole_end = cast<int64_t>(far_clamp(RoundHalfAwayFromZero(corner_end * scale)));
  const Expr whole_bin = cast<float>(max(whole_end - whole_begin + 1, cast<int64_t>(1))) / bin_count;
  const Edges whole = {cast<int64_t>(floor(this_bin * whole_bin)) + whole_begin,
                       cast<int64_t>(ceil(next_bin * whole_bin)) + whole_begin};

  // kAclnn: corners stay where they are.
  const Expr exact_begin = far_clamp(corner_begin * scale), exact_end = far_clamp((corner_end + 1.0f) * scale);
  const Expr exact_bin = (exact_end - exact_begin) / bin_count;
  const Expr has_size = exact_end > exact_begin;
  const Edges exact = {
      select(has_size, cast<int64_t>(floor(exact_begin + this_bin * exact_bin)), cast<int64_t>(0)),
      select(has_size, cast<int64_t>(ceil(exact_begin + next_bin * exact_bin)), cast<int64_t>(0)),
  };
  return {to_pixel(select(rounds_corners, whole.begin, exact.begin)), to_pixel(select(rounds_corners, whole.end, exact.end))};
}

}  // namespace

PoolStages DefineRoiPool(const PoolInputs& inputs, Type type) {
  PoolStages stages;
  const auto& [pw, ph, c, r] = std::tie(stages.pw, stages.ph, stages.channel, stages.roi);

  const Edges columns = BinEdges(pw, inputs.pooled_w, inputs.boxes(0, r), inputs.boxes(2, r), inputs.spatial_scale_w,
                                 inputs.rounds_corners, inputs.width);
  const Edges rows = BinEdges(ph, inputs.pooled_h, inputs.boxes(1, r), inputs.boxes(3, r), inputs.spatial_scale_h,
                              inputs.rounds_corners, inputs.height);
  stages.begin_w(pw, r) = columns.begin;
  stages.end_w(pw, r) = columns.end;
  stages.begin_h(ph, r) = rows.begin;
  stages.end_h(ph, r) = rows.end;

  RDom& window = stages.window = RDom(0, inputs.width, 0, inputs.height, "window");
  window.where(window.x >= stages.begin_w(pw, r) && window.x < stages.end_w(pw, r));
  window.where(window.y >= stages.begin_h(ph, r) && window.y < stages.end_h(ph, r));

  // The first largest value wins and NaN never does; the first value that is no NaN beats "nothing yet", even -inf.
  const Type search_type = type.bits() == 64 ? type : Halide::Float(32);
  const Expr image = unsafe_promise_clamped(inputs.images(r), 0, inputs.image_count - 1);
  const Expr value = cast(search_type, inputs.x(window.x, window.y, c, image));
  stages.best(pw, ph, c, r) = Tuple(cast(search_type, 0), Expr(-1));
  const Expr best_value = stages.best(pw, ph, c, r)[0], best_pixel = stages.best(pw, ph, c, r)[1];
  const Expr wins = select(best_pixel == -1, !is_nan(value), best_value < value);
  stages.best(pw, ph, c, r) =
      Tuple(select(wins, value, best_value), select(wins, window.y * inputs.width + window.x, best_pixel));

  stages.pooled(pw, ph, c, r) = Tuple(cast(type, stages.best(pw, ph, c, r)[0]), stages.best(pw, ph, c, r)[1]);
  return stages;
}

}  // namespace roipool::generators
