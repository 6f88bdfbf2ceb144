#include "roi_pool_gpu_algorithm.h"

#include "number_formats.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::Type;
using Halide::unsafe_promise_clamped;

// An integer that is ordered as the numbers are: zeros of either sign are equal, NaN is below all of them.
Expr RankOf(const Expr& bits, const Type& type) {
  const NumberFormat format = NumberFormat::Of(type);
  const Type rank_type = Halide::Int(std::max(type.bits(), 32));
  const Expr magnitude = Magnitude(bits, type), rank = cast(rank_type, magnitude);
  return select(magnitude > Halide::Internal::make_const(bits.type(), format.infinity()), rank_type.min(), bits == magnitude,
                rank, -rank);
}

}  // namespace

GpuPoolStages DefineRoiPoolGpu(const GpuPoolInputs& inputs, Type type) {
  GpuPoolStages stages;
  const auto& [pw, ph, channel, roi] = std::tie(stages.pw, stages.ph, stages.channel, stages.roi);
  // Promised, not clamped: edges lie on the map, and a roi without an image has none.
  const Expr image = unsafe_promise_clamped(inputs.images(roi), 0, inputs.image_count - 1);
  RDom& window = stages.window = RDom(0, inputs.width, 0, inputs.height, "window");
  window.where(window.y >= inputs.rows(ph, 0, roi) && window.y < inputs.rows(ph, 1, roi));
  window.where(window.x >= inputs.columns(pw, 0, roi) && window.x < inputs.columns(pw, 1, roi));
  const Expr bits = inputs.x(unsafe_promise_clamped(window.x, 0, inputs.width - 1),
                             unsafe_promise_clamped(window.y, 0, inputs.height - 1), channel, image);
  const Expr rank = RankOf(bits, type);

  // It begins with the rank of NaN, which therefore never wins, and with what stands for no winner.
  const auto best = [&](int element) { return stages.best(pw, ph, channel, roi)[element]; };
  stages.best(pw, ph, channel, roi) = Tuple(rank.type().min(), Expr(-1), Halide::Internal::make_zero(bits.type()));
  const Expr wins = rank > best(0);
  stages.best(pw, ph, channel, roi) = Tuple(
      select(wins, rank, best(0)), select(wins, window.y * inputs.width + window.x, best(1)), select(wins, bits, best(2)));
  stages.pooled(pw, ph, channel, roi) = Tuple(best(2), best(1));
  return stages;
}

}  // namespace roipool::generators
