#include "roi_pool_grad_algorithm.h"

#include "number_formats.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::Type;
using Halide::unsafe_promise_clamped;
using Halide::Internal::make_const;

// The type's quiet NaN with a clear sign. Which of two NaNs an addition keeps differs between CPUs, so every NaN becomes this
// one; it also replaces what Halide's emulated float16 makes of a NaN, an infinity.
Expr RoundOnce(const Expr& sum, Type type) {
  const Type bits_type = Halide::UInt(type.bits());
  const uint64_t quiet_nan = type.bits() == 64   ? 0x7ff8000000000000u
                             : type.bits() == 32 ? 0x7fc00000u
                             : type.is_bfloat()  ? 0x7fc0u
                                                 : 0x7e00u;
  const Expr rounded = Halide::reinterpret(bits_type, cast(type, sum));
  return Halide::reinterpret(type, select(is_nan(sum), make_const(bits_type, quiet_nan), rounded));
}

// All exponent bits set means a NaN or an infinity; the shift drops the sign.
Expr IsFinite(const Expr& value) {
  const Type bits_type = Halide::UInt(value.type().bits());
  const uint64_t smallest_infinite = value.type().bits() == 64 ? 0xffe0000000000000u : 0xff000000u;
  return (Halide::reinterpret(bits_type, value) << make_const(bits_type, 1)) < make_const(bits_type, smallest_infinite);
}

Expr BitsOf(const Expr& number) { return Halide::reinterpret(Halide::UInt(number.type().bits()), number); }

bool IsFixedPoint(const GradStages& stages) { return stages.sum_type.is_int(); }

bool SumsInPlace(const GradStages& stages) { return stages.type == stages.sum_type; }

// Promised rather than clamped, here and below: the caller checked what it put into `order` and `images`.
Expr RoiAt(const GradStages& stages, const GradInputs& inputs, const Expr& position) {
  return unsafe_promise_clamped(stages.roi(position), 0, inputs.rois - 1);
}

void DefineRows(GradStages& stages, const GradInputs& inputs) {
  const auto& [b, m, g, k] = std::tie(stages.bin, stages.member, stages.group, stages.position);
  stages.roi(k) = inputs.order(k);
  stages.image_of(k) = inputs.images(RoiAt(stages, inputs, k));
  stages.target_row(b, m, g, k) = inputs.argmax(b, m, g, RoiAt(stages, inputs, k));
  const Expr gradient = inputs.grad_output(b, m, g, RoiAt(stages, inputs, k));
  stages.gradient_row(b, m, g, k) = IsFixedPoint(stages) ? ToFixedPoint(BitsOf(gradient), inputs.fixed_point_shift, stages.type)
                                                         : cast(stages.sum_type, gradient);
}

void DefineChecks(GradStages& stages, const GradInputs& inputs) {
  const auto& [g, k] = std::tie(stages.group, stages.position);
  const Expr pixels = cast<uint32_t>(inputs.pixels);
  const auto entry = [&](const RDom& rows) { return cast<uint32_t>(stages.target_row(rows.x, rows.y, g, k)); };
  const auto is_finite = [&](const RDom& rows) {
    if (!SumsInPlace(stages)) return Halide::Internal::const_true();
    return IsFinite(inputs.grad_output(rows.x, rows.y, g, RoiAt(stages, inputs, k)));
  };

  const RDom& checked = stages.checked = RDom(0, inputs.bins, 0, inputs.members, "checked");
  stages.is_odd(g, k) = cast<bool>(false);
  // In parentheses, here and below: only "itself or something" is known to be a reduction and becomes vectors.
  stages.is_odd(g, k) = stages.is_odd(g, k) || (entry(checked) >= pixels || !is_finite(checked));

  RDom& rechecked = stages.rechecked = RDom(0, inputs.bins, 0, inputs.members, "rechecked");
  rechecked.where(stages.is_odd(g, k));
  stages.is_bad(g, k) = cast<bool>(false);
  // -1 wraps to 0, so that one compare finds everything outside [-1, H*W).
  stages.is_bad(g, k) =
      stages.is_bad(g, k) || (entry(rechecked) + 1 > pixels || !(inputs.allows_non_finite || is_finite(rechecked)));
  stages.pixel_limit(g, k) =
      require(!stages.is_bad(g, k), pixels, "argmax has an entry outside [-1, H*W), or a gradient is not finite");
}

void DefineScatter(GradStages& stages, const GradInputs& inputs) {
  const auto& [p, m, g, n] = std::tie(stages.pixel, stages.member, stages.group, stages.image);
  RDom& entries = stages.entries = RDom(0, inputs.bins, 0, inputs.positions, "entries");
  const Expr bin = unsafe_promise_clamped(entries.x, 0, inputs.bins - 1);
  const Expr target = stages.target_row(bin, m, g, entries.y);
  entries.where(!stages.is_odd(g, entries.y) || cast<uint32_t>(target) < stages.pixel_limit(g, entries.y));
  const Expr image = unsafe_promise_clamped(stages.image_of(entries.y), inputs.first_image, inputs.last_image);

  stages.sum(p, m, g, n) = cast(stages.sum_type, 0);
  stages.sum(unsafe_promise_clamped(target, 0, inputs.pixels - 1), m, g, image) += stages.gradient_row(bin, m, g, entries.y);
}

void DefineRounding(GradStages& stages, const GradInputs& inputs) {
  const auto& [p, m, g, n] = std::tie(stages.pixel, stages.member, stages.group, stages.image);
  if (IsFixedPoint(stages)) {
    const Expr bits = FromFixedPoint(stages.sum(p, m, g, n), inputs.fixed_point_shift, stages.type);
    stages.grad_input(p, m, g, n) = Halide::reinterpret(stages.type, bits);
    return;
  }
  if (!SumsInPlace(stages)) {
    stages.grad_input(p, m, g, n) = RoundOnce(stages.sum(p, m, g, n), stages.type);
    return;
  }
  RDom& pixels = stages.rounded_pixels = RDom(0, inputs.pixels, "rounded_pixels");
  pixels.where(inputs.allows_non_finite);
  stages.grad_input(p, m, g, n) = Halide::undef(stages.type);  // The same memory as `sum`: right already.
  stages.grad_input(pixels, m, g, n) = RoundOnce(stages.sum(pixels, m, g, n), stages.type);
}

}  // namespace

Type SumType(const Type& type, bool is_fixed_point) {
  if (is_fixed_point) return Halide::Int(64);
  return type.bits() == 64 ? type : Halide::Float(32);
}

GradStages DefineRoiPoolGrad(const GradInputs& inputs, const Halide::Func& sum, const Halide::Func& grad_input, Type type,
                             bool is_fixed_point) {
  GradStages stages;
  stages.sum = sum;
  stages.grad_input = grad_input;
  stages.type = type;
  stages.sum_type = SumType(type, is_fixed_point);
  DefineRows(stages, inputs);
  DefineChecks(stages, inputs);
  DefineScatter(stages, inputs);
  DefineRounding(stages, inputs);
  return stages;
}

}  // namespace roipool::generators
