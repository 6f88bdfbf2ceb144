#include "element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace roipool::test {
namespace {

// An IEEE 754 format of 16 bits: how many of them hold the exponent and the fraction.
struct SmallFormat {
  int exponent_bits, fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  uint64_t quiet_nan() const { return infinity() | uint64_t{1} << (fraction_bits - 1); }
};

constexpr SmallFormat kFloat16Format = {5, 10}, kBFloat16Format = {8, 7};

double Decode(uint64_t bits, const SmallFormat& format) {
  const uint64_t fraction = bits & ((uint64_t{1} << format.fraction_bits) - 1);
  const int exponent = static_cast<int>((bits & 0x7fffu) >> format.fraction_bits);
  double magnitude = 0;
  if ((bits & 0x7fffu) > format.infinity()) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if ((bits & 0x7fffu) == format.infinity()) {
    magnitude = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction), 1 - format.bias() - format.fraction_bits);
  } else {
    magnitude = std::ldexp(static_cast<double>(fraction + (uint64_t{1} << format.fraction_bits)),
                           exponent - format.bias() - format.fraction_bits);
  }
  return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

uint64_t Encode(double number, const SmallFormat& format) {
  if (std::isnan(number)) return format.quiet_nan();
  const uint64_t sign = std::signbit(number) ? 0x8000u : 0u;
  if (std::isinf(number)) return sign | format.infinity();
  if (number == 0) return sign;
  // The number as a multiple of 2^step, where step is the distance of its neighbours in the format; subnormals share one.
  const int step = std::max(std::ilogb(number), 1 - format.bias()) - format.fraction_bits;
  auto multiple = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(number), -step)));
  const uint64_t hidden_bit = uint64_t{1} << format.fraction_bits;
  if (multiple < hidden_bit) return sign | multiple;
  // Counting on from the smallest normal number; rounding up to the next power of two carries into the exponent by itself.
  const auto exponent = static_cast<uint64_t>(step + format.fraction_bits + format.bias());
  return sign | std::min(((exponent - 1) << format.fraction_bits) + multiple, format.infinity());
}

}  // namespace

int64_t SizeOf(DataType type) {
  if (type == DataType::kFloat16 || type == DataType::kBFloat16) return 2;
  return type == DataType::kFloat64 || type == DataType::kInt64 ? 8 : 4;
}

bool IsFloatType(DataType type) { return type != DataType::kInt32 && type != DataType::kInt64; }

uint64_t LoadBits(const void* address, DataType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, static_cast<size_t>(SizeOf(type)));
  return bits;
}

void StoreBits(void* address, DataType type, uint64_t bits) { std::memcpy(address, &bits, static_cast<size_t>(SizeOf(type))); }

double NumberOf(uint64_t bits, DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case DataType::kFloat16:
      return Decode(bits, kFloat16Format);
    case DataType::kBFloat16:
      return Decode(bits, kBFloat16Format);
    case DataType::kFloat64:
      return std::bit_cast<double>(bits);
    case DataType::kInt32:
      return static_cast<double>(static_cast<int32_t>(bits));
    case DataType::kInt64:
      return static_cast<double>(static_cast<int64_t>(bits));
  }
  return 0;
}

uint64_t BitsOf(double number, DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return std::isnan(number) ? 0x7fc00000u : std::bit_cast<uint32_t>(static_cast<float>(number));
    case DataType::kFloat16:
      return Encode(number, kFloat16Format);
    case DataType::kBFloat16:
      return Encode(number, kBFloat16Format);
    case DataType::kFloat64:
      return std::isnan(number) ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(number);
    case DataType::kInt32:
      return static_cast<uint32_t>(static_cast<int32_t>(number));
    case DataType::kInt64:
      return static_cast<uint64_t>(static_cast<int64_t>(number));
  }
  return 0;
}

uint64_t PoisonOf(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return 0xffbadbadu;
    case DataType::kFloat16:
      return 0xfeadu;
    case DataType::kBFloat16:
      return 0xffbau;
    case DataType::kFloat64:
      return 0xfffbadbadbadbad1u;
    case DataType::kInt32:
      return 0x7bad7badu;
    case DataType::kInt64:
      return 0x7bad7bad7bad7badu;
  }
  return 0;
}

double LargestOf(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return 65504.0;
    case DataType::kBFloat16:
      return 0x1.fep127;
    case DataType::kFloat64:
      return std::numeric_limits<double>::max();
    default:
      return static_cast<double>(std::numeric_limits<float>::max());
  }
}

double SmallestOf(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return 0x1p-24;
    case DataType::kBFloat16:
      return 0x1p-133;
    case DataType::kFloat64:
      return std::numeric_limits<double>::denorm_min();
    default:
      return static_cast<double>(std::numeric_limits<float>::denorm_min());
  }
}

}  // namespace roipool::test
