#include "number_formats.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::max;
using Halide::min;
using Halide::select;
using Halide::Type;

Expr Constant(const Expr& like, uint64_t value) { return Halide::Internal::make_const(like.type(), value); }

Expr Word(uint32_t value) { return Expr(value); }
Expr Long(uint64_t value) { return Expr(value); }

// value / 2^count, half to even; count in [0, bits).
Expr ShiftRightRounding(const Expr& value, const Expr& count) {
  const Expr amount = cast(value.type(), count), one = Constant(value, 1);
  const Expr dropped = (one << amount) - one;  // The bits that go; none if count is 0, and then nothing may be added.
  return (value + (dropped >> one) + ((value >> amount) & dropped & one)) >> amount;
}

// The biased exponent as it counts: that of subnormal numbers is 1.
Expr Exponent(const Expr& magnitude, const NumberFormat& format) {
  return max(cast<int32_t>(magnitude >> Constant(magnitude, static_cast<uint64_t>(format.mantissa_bits))), 1);
}

// The place of the uppermost bit; 0 for 0. By halves: Halide 21 makes no OpenCL of count_leading_zeros().
Expr TopBit(const Expr& value) {
  Expr place = 0, rest = value;
  for (const int half : {32, 16, 8, 4, 2, 1}) {
    const Expr upper = rest >> Long(static_cast<uint64_t>(half));
    const Expr is_above = upper != Long(0);
    place = place + select(is_above, half, 0);
    rest = select(is_above, upper, rest);
  }
  return place;
}

}  // namespace

NumberFormat NumberFormat::Of(const Type& type) {
  const int mantissa_bits = type.bits() == 64 ? 52 : type.bits() == 32 ? 23 : type.is_bfloat() ? 7 : 10;
  return {type.bits(), mantissa_bits};
}

Expr FloatFromBits(const Expr& bits, const Type& type) {
  const Expr wide = cast<uint32_t>(bits);
  if (type.is_bfloat()) return Halide::reinterpret<float>(wide << Word(16u));
  const Expr magnitude = wide & Word(0x7fffu);
  const Expr subnormal = Halide::reinterpret<uint32_t>(cast<float>(magnitude) * 0x1p-24f);
  const Expr rebiased = (magnitude << Word(13u)) + select(magnitude >= Word(0x7c00u), Word(0x70000000u), Word(0x38000000u));
  return Halide::reinterpret<float>(((wide & Word(0x8000u)) << Word(16u)) |
                                    select(magnitude < Word(0x400u), subnormal, rebiased));
}

Expr BitsFromFloat(const Expr& number, const Type& type) {
  const NumberFormat format = NumberFormat::Of(type);
  const Expr bits = Halide::reinterpret<uint32_t>(number);
  const Expr magnitude = bits & Word(0x7fffffffu), sign = (bits >> Word(16u)) & Word(0x8000u);
  Expr rounded;
  if (type.is_bfloat()) {
    rounded = ShiftRightRounding(magnitude, 16);
  } else {
    const Expr normal = ShiftRightRounding(magnitude, 13) - Word(0x1c000u);
    const Expr significand = (magnitude & Word(0x7fffffu)) | Word(0x800000u);
    const Expr subnormal = ShiftRightRounding(significand, min(126 - cast<int32_t>(magnitude >> Word(23u)), 31));
    rounded = min(select(magnitude >= Word(0x38800000u), normal, subnormal), Word(0x7c00u));
  }
  const Expr quiet_nan = Word(static_cast<uint32_t>(format.quiet_nan()));
  return cast<uint16_t>(select(magnitude > Word(0x7f800000u), quiet_nan, sign | rounded));
}

Expr RoundToSingle(const Expr& number) {
  const NumberFormat single = NumberFormat::Of(Halide::Float(32)), format = NumberFormat::Of(Halide::Float(64));
  const Expr bits = Halide::reinterpret<uint64_t>(number);
  const Expr magnitude = Magnitude(bits, Halide::Float(64)), sign = bits ^ magnitude;
  const Expr implied = Long(uint64_t{1} << format.mantissa_bits);
  const Expr significand = (magnitude & (implied - Long(1))) | implied;
  // What goes beside the digits that float32 lacks: those of its subnormal numbers. Of the smallest float64s nothing remains.
  const Expr exponent = cast<int32_t>(magnitude >> Long(static_cast<uint64_t>(format.mantissa_bits)));
  const Expr below_normal = max(format.bias() - single.bias() + 1 - exponent, 0);
  const Expr dropped = min(format.mantissa_bits - single.mantissa_bits + below_normal, 63);
  const Expr rounded = ShiftRightRounding(significand, dropped) << cast<uint64_t>(dropped);
  // A carry out of the significand moves the exponent up by one.
  const Expr result = select(rounded == Long(0), Long(0), magnitude - significand + rounded);
  return Halide::reinterpret<double>(sign | result);
}

Expr Magnitude(const Expr& bits, const Type& type) { return bits & Constant(bits, (uint64_t{1} << (type.bits() - 1)) - 1); }

Expr LargestMagnitude(const Expr& state, const Type& type) {
  return type.bits() == 64 ? state << Long(32) : cast(Halide::UInt(type.bits()), state);
}

Expr FixedPointShift(const Expr& largest_magnitude, const Expr& addends_log2, const Type& type) {
  const NumberFormat format = NumberFormat::Of(type);
  // The largest magnitude is below 2^(exponent - bias + 1).
  const Expr shift = 62 - addends_log2 - (Exponent(largest_magnitude, format) - format.bias() + 1);
  return type.bits() == 16 && !type.is_bfloat() ? min(shift, 24) : shift;
}

Expr ToFixedPoint(const Expr& bits, const Expr& shift, const Type& type) {
  const NumberFormat format = NumberFormat::Of(type);
  const Expr magnitude = Magnitude(bits, type);
  const Expr fraction = magnitude & Constant(bits, (uint64_t{1} << format.mantissa_bits) - 1);
  const Expr implied = Constant(bits, uint64_t{1} << format.mantissa_bits);
  const Expr is_normal = magnitude >= implied;
  const Expr significand = cast<uint64_t>(select(is_normal, fraction | implied, fraction));
  const Expr left = Exponent(magnitude, format) - (format.bias() + format.mantissa_bits) + shift;
  // Beyond these only what is rounded to 0, or 0 itself.
  const auto clamped = [](const Expr& count) { return clamp(count, 0, 62); };
  const Expr scaled = ShiftRightRounding(significand, clamped(-left)) << cast<uint64_t>(clamped(left));
  const Expr fixed = cast<int64_t>(scaled);
  const Expr is_finite = magnitude < Constant(bits, format.infinity());
  return select(!is_finite, cast<int64_t>(0), bits != magnitude, -fixed, fixed);
}

Expr FromFixedPoint(const Expr& sum, const Expr& shift, const Type& type) {
  const NumberFormat format = NumberFormat::Of(type);
  const Expr is_negative = sum < cast<int64_t>(0);
  const Expr magnitude = cast<uint64_t>(select(is_negative, -sum, sum));
  const Expr top = TopBit(magnitude);
  // The exponent field of the result, 1 for subnormal numbers too.
  const Expr field = max(top - shift + format.bias(), 1);
  const Expr drop = field - format.bias() - format.mantissa_bits + shift;
  const Expr significand = select(drop > 63, Long(0), drop > 0, ShiftRightRounding(magnitude, clamp(drop, 0, 63)),
                                  magnitude << cast<uint64_t>(clamp(-drop, 0, 63)));
  const Expr exponent = cast<uint64_t>(clamp(field - 1, 0, 2 * format.bias() + 1))
                        << Long(static_cast<uint64_t>(format.mantissa_bits));
  const Expr unsigned_bits = min(significand + exponent, Long(format.infinity()));
  const Expr finite_or_infinite = select(field > 2 * format.bias(), Long(format.infinity()), unsigned_bits);
  const Expr sign = Long(uint64_t{1} << (format.bits - 1));
  return cast(format.bits_type(),
              select(magnitude == Long(0), Long(0), is_negative, finite_or_infinite | sign, finite_or_infinite));
}

}  // namespace roipool::generators
