#include "roi_pool_grad_algorithm.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::Type;
using Halide::unsafe_promise_clamped;

// The type's quiet NaN with a clear sign. Which of two NaNs an addition keeps differs between CPUs, so every NaN becomes this
// one; it also replaces what Halide's emulated float16 makes of a NaN, an infinity.
Expr RoundOnce(const Expr& sum, Type type) {
  const Type bits_type = Halide::UInt(type.bits());
  const uint64_t quiet_nan = type.bits() == 64   ? 0x7ff8000000000000u
                             : type.bits() == 32 ? 0x7fc00000u
                             : type.is_bfloat()  ? 0x7fc0u
                                                 : 0x7e00u;
  const Expr rounded = Halide::reinterpret(bits_type, cast(type, sum));
  return Halide::reinterpret(type, select(is_nan(sum), Halide::Internal::make_const(bits_type, quiet_nan), rounded));
}

}  // namespace

GradStages DefineRoiPoolGrad(const GradInputs& inputs, const Halide::Func& grad_input, Type type, bool checks_argmax) {
  GradStages stages;
  stages.grad_input = grad_input;
  stages.type = type;
  stages.sum_type = type.bits() == 64 ? type : Halide::Float(32);
  stages.checks_argmax = checks_argmax;

  // Promised rather than clamped: the caller makes `order`, and a schedule's fused task index hides the channel's true range.
  const auto channel = [&](const Expr& c) { return unsafe_promise_clamped(c, 0, inputs.channels - 1); };
  const auto roi = [&](const Expr& position) { return unsafe_promise_clamped(inputs.order(position), 0, inputs.rois - 1); };
  const auto& [c, k] = std::tie(stages.channel, stages.position);
  const Expr pixels = cast<uint32_t>(inputs.pixels);

  stages.gradient_row(stages.bin, c, k) = cast(stages.sum_type, inputs.grad_output(stages.bin, channel(c), roi(k)));

  Expr limit = pixels;
  if (checks_argmax) {
    stages.row_bins = RDom(0, inputs.bins, "row_bins");
    // -1 wraps to 0, so that one compare finds everything outside [-1, H*W).
    const Expr entry = cast<uint32_t>(inputs.argmax(stages.row_bins, channel(c), roi(k)));
    stages.row_has_bad_entry(c, k) = cast<bool>(false);
    stages.row_has_bad_entry(c, k) = stages.row_has_bad_entry(c, k) || entry + 1 > pixels;
    limit = require(!stages.row_has_bad_entry(c, k), pixels, "argmax has an entry outside [-1, H*W)");
  }
  stages.pixel_limit(c, k) = limit;

  RDom& entries = stages.entries = RDom(0, inputs.bins, 0, inputs.rois, "entries");
  entries.where(entries.y >= inputs.begin(stages.image) && entries.y < inputs.begin(stages.image + 1));
  const Expr target = inputs.argmax(entries.x, channel(c), roi(entries.y));
  entries.where(cast<uint32_t>(target) < stages.pixel_limit(c, entries.y));

  stages.sum(stages.pixel, c, stages.image) = cast(stages.sum_type, 0);
  stages.sum(unsafe_promise_clamped(target, 0, inputs.pixels - 1), c, stages.image) +=
      stages.gradient_row(entries.x, c, entries.y);

  stages.grad_input(stages.pixel, c, stages.image) = RoundOnce(stages.sum(stages.pixel, c, stages.image), type);
  return stages;
}

}  // namespace roipool::generators
