// Numbers of a type that is known when a kernel runs, read as 16-bit units, so that one kernel serves every type.
#ifndef ROIPOOL_GENERATORS_UNIT_NUMBERS_H_
#define ROIPOOL_GENERATORS_UNIT_NUMBERS_H_

#include "Halide.h"

namespace roipool::generators {

constexpr int kRoiColumns = 5;  ///< Image index and box.

/// How a number is laid out in 16-bit units: an IEEE 754 format, or an integer if exponent_bits is 0. Parameters of a kernel.
struct UnitFormat {
  Halide::Expr units, exponent_bits;
};

/// The units of one number as 64 bits; unit_at(u) is unit u, the lowest first.
template <typename UnitAt>
Halide::Expr JoinUnits(const UnitFormat& format, const UnitAt& unit_at) {
  using Halide::cast;
  Halide::Expr joined = cast<uint64_t>(0);
  for (int u = 0; u < 4; ++u) {
    const Halide::Expr unit = cast<uint64_t>(unit_at(Halide::min(u, format.units - 1)));
    joined = joined | Halide::select(u < format.units, unit << cast<uint64_t>(16 * u), cast<uint64_t>(0));
  }
  return joined;
}

/// A whole number in [0, 2^31), or -1 for the number -1, or -2 for everything else.
Halide::Expr WholeNumber(const UnitFormat& format, const Halide::Expr& bits);

/// Whether a float is neither infinite nor NaN: of its last unit, which holds the whole exponent in every format.
Halide::Expr IsFinite(const UnitFormat& format, const Halide::Expr& last_unit);

/// A finite float as the nearest float32, held in a float64; beyond float32's range as its largest number.
Halide::Expr SingleNumber(const UnitFormat& format, const Halide::Expr& bits);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_UNIT_NUMBERS_H_
