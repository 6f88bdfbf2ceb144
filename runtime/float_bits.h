// The 16-bit float types as numbers, on any compiler.
#ifndef ROIPOOL_RUNTIME_FLOAT_BITS_H_
#define ROIPOOL_RUNTIME_FLOAT_BITS_H_

#include <bit>
#include <cstdint>

namespace roipool::internal {

inline float BFloat16ToFloat(uint16_t bits) noexcept { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

/// Exact for every value; a NaN stays a NaN.
inline float Float16ToFloat(uint16_t bits) noexcept {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  // Read as a float, the shifted bits are 2^112 times too small, subnormals included.
  const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
}

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_FLOAT_BITS_H_
