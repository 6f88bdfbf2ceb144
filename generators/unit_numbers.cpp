#include "unit_numbers.h"

#include <limits>

#include "number_formats.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::select;

Expr Long(const Expr& value) { return cast<uint64_t>(value); }

// A number's bits as an IEEE 754 format divides them.
struct FloatParts {
  Expr mantissa_bits, largest_field;  // Of the format.
  Expr sign, magnitude;               // uint64
  Expr field, fraction;               // int32, uint64
  Expr bias() const { return largest_field >> 1; }
  Expr exponent() const { return field - bias(); }
};

FloatParts PartsOf(const UnitFormat& format, const Expr& bits) {
  const Expr one = Long(1), width = format.units * 16;
  const Expr mantissa_bits = Halide::max(width - 1 - format.exponent_bits, 0);
  const Expr magnitude = bits & ((one << Long(width - 1)) - one);
  return {.mantissa_bits = mantissa_bits,
          .largest_field = (1 << format.exponent_bits) - 1,
          .sign = (bits >> Long(width - 1)) & one,
          .magnitude = magnitude,
          .field = cast<int32_t>(magnitude >> Long(mantissa_bits)),
          .fraction = magnitude & ((one << Long(mantissa_bits)) - one)};
}

}  // namespace

Expr WholeNumber(const UnitFormat& format, const Expr& bits) {
  const Expr one = Long(1), zero = Long(0);
  const FloatParts parts = PartsOf(format, bits);
  const Expr exponent = parts.exponent();
  const Expr significand = parts.fraction | (one << Long(parts.mantissa_bits));
  const Expr down = Long(Halide::clamp(parts.mantissa_bits - exponent, 0, 63));
  const Expr up = Long(Halide::clamp(exponent - parts.mantissa_bits, 0, 31));
  const Expr value = (significand >> down) << up;
  const Expr is_whole = parts.magnitude == zero || (exponent >= 0 && exponent < 31 && parts.field < parts.largest_field &&
                                                    ((value >> up) << down) == significand);
  const Expr number = select(parts.magnitude == zero, zero, value);
  const Expr of_float =
      select(!is_whole, -2, parts.sign == zero || number == zero, cast<int32_t>(number), number == one, -1, -2);
  const Expr integer = select(format.units == 2, cast<int64_t>(cast<int32_t>(cast<uint32_t>(bits))), cast<int64_t>(bits));
  const Expr of_integer =
      select(integer == cast<int64_t>(-1), -1, integer >= cast<int64_t>(0) && integer < cast<int64_t>(0x7fffffff),
             cast<int32_t>(integer), -2);
  return select(format.exponent_bits == 0, of_integer, of_float);
}

Expr IsFinite(const UnitFormat& format, const Expr& last_unit) {
  const Expr largest_field = (1 << format.exponent_bits) - 1;
  return ((cast<int32_t>(last_unit) >> (15 - format.exponent_bits)) & largest_field) != largest_field;
}

Expr SingleNumber(const UnitFormat& format, const Expr& bits) {
  const NumberFormat wide = NumberFormat::Of(Halide::Float(64));
  const FloatParts parts = PartsOf(format, bits);
  const auto power_of_two = [&](const Expr& exponent) {
    return Halide::reinterpret<double>(Long(exponent + wide.bias()) << Long(wide.mantissa_bits));
  };
  // Subnormal numbers of narrower formats are normal ones here; those of float64 itself are zeros to float32.
  const Expr is_wide = parts.mantissa_bits == wide.mantissa_bits;
  const Expr unit = select(is_wide, 0, 1 - parts.bias() - parts.mantissa_bits);
  const Expr subnormal = Halide::reinterpret<uint64_t>(cast<double>(cast<int32_t>(parts.fraction)) * power_of_two(unit));
  const Expr normal = (Long(parts.exponent() + wide.bias()) << Long(wide.mantissa_bits)) |
                      (parts.fraction << Long(wide.mantissa_bits - parts.mantissa_bits));
  const Expr magnitude = select(is_wide, parts.magnitude, parts.field == 0, subnormal, normal);
  const Expr number = Halide::reinterpret<double>(magnitude | parts.sign << Long(63));
  const Expr largest = Halide::Internal::make_const(Halide::Float(64), static_cast<double>(std::numeric_limits<float>::max()));
  return Halide::clamp(RoundToSingle(number), -largest, largest);
}

}  // namespace roipool::generators
