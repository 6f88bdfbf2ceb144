#include "float_bits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "element.h"

namespace roipool::internal {
namespace {

void ExpectSameNumber(double expected, float got, uint32_t bits) {
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(got)) << std::hex << bits;
  } else {
    ASSERT_EQ(static_cast<double>(got), expected) << std::hex << bits;
  }
  ASSERT_EQ(std::signbit(got), (bits & 0x8000u) != 0) << std::hex << bits;
}

TEST(FloatBits, EveryFloat16) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    ExpectSameNumber(test::NumberOf(bits, DataType::kFloat16), Float16ToFloat(static_cast<uint16_t>(bits)), bits);
  }
}

TEST(FloatBits, EveryBFloat16) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    ExpectSameNumber(test::NumberOf(bits, DataType::kBFloat16), BFloat16ToFloat(static_cast<uint16_t>(bits)), bits);
  }
}

}  // namespace
}  // namespace roipool::internal
