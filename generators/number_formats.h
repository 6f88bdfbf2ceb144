// Floating-point numbers as bits: conversions and fixed point by integer operations alone, so that every target computes the
// same bits, also those that have no 16-bit or 64-bit floats.
#ifndef ROIPOOL_GENERATORS_NUMBER_FORMATS_H_
#define ROIPOOL_GENERATORS_NUMBER_FORMATS_H_

#include "Halide.h"

namespace roipool::generators {

/// An IEEE 754 binary format.
struct NumberFormat {
  int bits, mantissa_bits;

  static NumberFormat Of(const Halide::Type& type);

  int bias() const { return (1 << (bits - mantissa_bits - 2)) - 1; }
  Halide::Type bits_type() const { return Halide::UInt(bits); }
  uint64_t infinity() const { return ((uint64_t{1} << (bits - mantissa_bits - 1)) - 1) << mantissa_bits; }
  uint64_t quiet_nan() const { return infinity() | uint64_t{1} << (mantissa_bits - 1); }
};

/// A 16-bit number as float32. Exact.
Halide::Expr FloatFromBits(const Halide::Expr& bits, const Halide::Type& type);

/// A float32 rounded to a 16-bit type, half to even; every NaN becomes the type's quiet NaN with a clear sign.
Halide::Expr BitsFromFloat(const Halide::Expr& number, const Halide::Type& type);

/// A float64 rounded to the nearest float32, half to even, as a float64: by integer operations, as not every device has
/// float32's subnormal numbers. Beyond float32's range the exponent goes on instead of becoming infinity.
Halide::Expr RoundToSingle(const Halide::Expr& number);

/// The bits without the sign: ordered as the magnitudes are; at least infinity() for what is not finite.
Halide::Expr Magnitude(const Halide::Expr& bits, const Halide::Type& type);

/// Fixed point: a number x stands as the integer nearest to x * 2^shift, half to even. With L addends a pixel at most, L =
/// 2^addends_log2, and the largest magnitude of a call, the shift is the largest for which no sum reaches 2^62, so that integer
/// additions are exact in any order; float16 needs no more than 24, with which it is exact: its numbers are multiples of 2^-24.
Halide::Expr FixedPointShift(const Halide::Expr& largest_magnitude, const Halide::Expr& addends_log2, const Halide::Type& type);

/// The largest magnitude as it stands in a GPU's state, without bits that nobody asks for: the upper 31 of a float64's.
Halide::Expr LargestMagnitude(const Halide::Expr& state, const Halide::Type& type);

/// int64; 0 for what is not finite.
Halide::Expr ToFixedPoint(const Halide::Expr& bits, const Halide::Expr& shift, const Halide::Type& type);

/// The bits of sum * 2^-shift, rounded once, half to even; infinity beyond the type's range.
Halide::Expr FromFixedPoint(const Halide::Expr& sum, const Halide::Expr& shift, const Halide::Type& type);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_NUMBER_FORMATS_H_
