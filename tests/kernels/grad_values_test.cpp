// Gradients that are hard to add: NaN, Inf, -0, subnormals, sums that overflow or round at the edge of the type.
#include <cstdlib>
#include <limits>

#include "compare.h"
#include "element.h"
#include "every_case.h"
#include "kernel_rows.h"
#include "reference.h"
#include "run.h"
#include "seeded_random.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class GradValues : public PerKernel {
 protected:
  // The bits that one pixel gets from `addends`, one roi each; the pixel beside it gets nothing.
  static uint64_t Sum(const std::vector<uint64_t>& addends) {
    const auto rois = static_cast<int64_t>(addends.size());
    GradProblem problem(GradCase().Rois(rois).Channels(1).Pooled(1, 1).Images(1).Map(1, 2).Type(GetParam().type));
    for (int64_t r = 0; r < rois; ++r) problem.grad_output.SetBits(r, addends[static_cast<size_t>(r)]);
    problem.argmax.SetAll(1);
    EXPECT_OK(RunGrad(problem.args(), OptionsFor(GetParam())).status);
    EXPECT_EQ(problem.grad_input.Bits(0), 0u) << "a pixel that nobody chose is +0";
    return problem.grad_input.Bits(1);
  }
  static uint64_t Sum(const std::vector<double>& addends) {
    std::vector<uint64_t> bits;
    for (const double addend : addends) bits.push_back(Bits(addend));
    return Sum(bits);
  }
  static bool AddsInAnyOrder() { return test::AddsInAnyOrder(GetParam()); }
  static uint64_t Bits(double number) { return BitsOf(number, GetParam().type); }
};

TEST_P(GradValues, MixedSpecialValues) {
  for (const Values values : {Values::kSpecial, Values::kTiny, Values::kHuge}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      ExpectGradOfCase(GradCase().Type(GetParam().type).Data(values).Rois(60).Channels(9).Seed(seed), OptionsFor(GetParam()),
                       GetParam().name);
    }
  }
}

TEST_P(GradValues, NaNIsQuietAndPositive) {
  if (AddsInAnyOrder()) GTEST_SKIP() << "a GPU's additions make NaNs of their own";
  const uint64_t quiet_nan = Bits(kNaN);
  const uint64_t sign = uint64_t{1} << (8 * SizeOf(GetParam().type) - 1);
  EXPECT_EQ(Sum(std::vector<double>{kNaN}), quiet_nan);
  EXPECT_EQ(Sum(std::vector<double>{1, kNaN, 2}), quiet_nan);
  EXPECT_EQ(Sum(std::vector<double>{kInfinity, -kInfinity}), quiet_nan);
  EXPECT_EQ(Sum(std::vector<uint64_t>{quiet_nan | sign}), quiet_nan);
  EXPECT_EQ(Sum(std::vector<uint64_t>{Bits(kInfinity) + 1}), quiet_nan) << "a signaling NaN";
  EXPECT_EQ(Sum(std::vector<uint64_t>{PoisonOf(GetParam().type), quiet_nan}), quiet_nan);
}

TEST_P(GradValues, InfinityStays) {
  EXPECT_EQ(Sum(std::vector<double>{kInfinity, 1, -5}), Bits(kInfinity));
  EXPECT_EQ(Sum(std::vector<double>{-kInfinity, 1}), Bits(-kInfinity));
}

TEST_P(GradValues, NegativeZerosAddUpToPositiveZero) {
  EXPECT_EQ(Sum(std::vector<double>{-0.0}), 0u);
  EXPECT_EQ(Sum(std::vector<double>{-0.0, -0.0}), 0u);
  EXPECT_EQ(Sum(std::vector<double>{1, -1}), 0u);
}

TEST_P(GradValues, SubnormalsCount) {
  if (AddsInAnyOrder() && FlushesSubnormals(GetParam().device, GetParam().type)) {
    GTEST_SKIP() << "CUDA's atomic additions take them for zeros";
  }
  const double smallest = SmallestOf(GetParam().type);
  EXPECT_EQ(Sum(std::vector<double>{smallest}), 1u);
  EXPECT_EQ(Sum(std::vector<double>{smallest, smallest, smallest}), 3u);
  EXPECT_EQ(Sum(std::vector<double>{-smallest}), Bits(-smallest));
}

// S1: the sum of a 16-bit type may pass through numbers that the type cannot hold, and rounds once, half to even.
TEST_P(GradValues, SumsAreWiderThan16Bits) {
  if (AddsInAnyOrder() && GetParam().type != DataType::kFloat16) GTEST_SKIP() << "the order of addition decides";
  const double largest = LargestOf(GetParam().type);
  switch (GetParam().type) {
    case DataType::kFloat16:
      EXPECT_EQ(Sum(std::vector<double>{65504, 65504, -65504}), Bits(65504));
      EXPECT_EQ(Sum(std::vector<double>{65504, 8}), Bits(65504)) << "nearer to the largest number";
      EXPECT_EQ(Sum(std::vector<double>{65504, 16}), Bits(kInfinity)) << "a tie goes to the even side";
      EXPECT_EQ(Sum(std::vector<double>{2048, 1}), Bits(2048)) << "a tie";
      EXPECT_EQ(Sum(std::vector<double>{2048, 1, 1}), Bits(2050)) << "rounded once, at the end";
      EXPECT_EQ(Sum(std::vector<double>{2048, 1, 0x1p-10}), Bits(2050)) << "just above a tie";
      EXPECT_EQ(Sum(std::vector<double>{-65504, -65504}), Bits(-kInfinity));
      break;
    case DataType::kBFloat16:
      EXPECT_EQ(Sum(std::vector<double>{256, 1}), Bits(256)) << "a tie";
      EXPECT_EQ(Sum(std::vector<double>{256, 1, 1}), Bits(258)) << "rounded once, at the end";
      EXPECT_EQ(Sum(std::vector<double>{256, 1, 0x1p-10}), Bits(258)) << "just above a tie";
      EXPECT_EQ(Sum(std::vector<double>{largest, 0x1p118}), Bits(largest)) << "nearer to the largest number";
      EXPECT_EQ(Sum(std::vector<double>{largest, 0x1p119}), Bits(kInfinity)) << "a tie goes to the even side";
      break;
    case DataType::kFloat32:
      if (GetParam().accumulation == Accumulation::kFixedPoint) {
        EXPECT_EQ(Sum(std::vector<double>{largest, largest, -largest}), Bits(largest));
        EXPECT_EQ(Sum(std::vector<double>{largest, largest}), Bits(kInfinity)) << "once, at the end";
        EXPECT_EQ(Sum(std::vector<double>{1e8, 1, -1e8}), Bits(1));
        break;
      }
      EXPECT_EQ(Sum(std::vector<double>{largest, largest, -largest}), Bits(kInfinity)) << "float32 sums in float32";
      EXPECT_EQ(Sum(std::vector<double>{1e8, 1, -1e8}), 0u) << "float32 sums in float32, in order";
      break;
    default:
      EXPECT_EQ(Sum(std::vector<double>{1e8, 1, -1e8}), Bits(1)) << "float64 sums in float64";
      EXPECT_EQ(Sum(std::vector<double>{1e17, 1, -1e17}), GetParam().accumulation == Accumulation::kFloat ? 0u : Bits(1));
  }
}

// Cancellation, subnormals and the largest numbers: the exact sum, a whole multiple of 2^-24, and the number nearest to it, by
// whole numbers alone.
TEST_P(GradValues, Float16FixedPointIsTheExactSumRoundedOnce) {
  if (GetParam().type != DataType::kFloat16 || GetParam().accumulation != Accumulation::kFixedPoint) {
    GTEST_SKIP() << "other sums may round";
  }
  const auto units = [](uint64_t bits) { return static_cast<int64_t>(NumberOf(bits, DataType::kFloat16) * 0x1p24); };
  SeededRandom random(5);
  constexpr uint64_t kHard[] = {0x7bff, 0xfbff, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x6800, 0xe800, 0x3c00, 0xbc00, 0x3c01};
  const int repeats = RunsEveryCase(GetParam()) ? 400 : 40;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<uint64_t> addends(static_cast<size_t>(random.Whole(2, 41)));
    int64_t exact = 0;
    for (uint64_t& bits : addends) {
      const bool is_hard = random.Chance(0.7);
      bits = is_hard ? kHard[random.Whole(0, std::size(kHard) - 1)]
                     : static_cast<uint64_t>(random.Whole(0, 0x7bff) | random.Whole(0, 1) << 15);
      exact += units(bits);
    }
    const uint64_t result = Sum(addends), magnitude = result & 0x7fff;
    const int64_t distance = std::abs(exact);
    if (distance >= (INT64_C(65520) << 24)) {
      EXPECT_EQ(magnitude, 0x7c00u) << "repeat " << repeat;
    } else {
      const int64_t error = std::abs(distance - units(magnitude));
      const int64_t above = magnitude == 0x7bff ? (INT64_C(65536) << 24) - distance : std::abs(distance - units(magnitude + 1));
      const int64_t below = magnitude == 0 ? INT64_MAX : std::abs(distance - units(magnitude - 1));
      const int64_t nearest = std::min(above, below);
      EXPECT_TRUE(error < nearest || (error == nearest && magnitude % 2 == 0))
          << "repeat " << repeat << ": " << exact << " gives " << result;
    }
    EXPECT_EQ(result >> 15, exact < 0 ? 1u : 0u) << "repeat " << repeat;
  }
}

// One gradient among full rows of finite ones, at every place of a row and in a task of several.
TEST_P(GradValues, OneNonFiniteGradient) {
  const bool runs_all = RunsEveryCase(GetParam());
  for (const double gradient : {kNaN, kInfinity, -kInfinity}) {
    for (const int64_t place : {0, 15, 16, 47, 48, 49, 97, 195, 196, 1234, 60 * 9 * 49 - 1}) {
      if (!runs_all && place % 97 != 0) continue;
      const GradCase c = GradCase().Type(GetParam().type).Rois(60).Channels(9).Pooled(7, 7).EmptyShare(0).Map(4, 5);
      GradProblem problem(c);
      problem.grad_output.SetNumber(place, gradient);
      ASSERT_OK(RunGrad(problem.args(), OptionsFor(GetParam(), 2)).status);
      EXPECT_TRUE(SameGradient(problem, OptionsFor(GetParam()))) << gradient << " at " << place;
    }
  }
}

// S3: skipped, not multiplied by 0.
TEST_P(GradValues, EmptyBinsAreSkippedWhateverTheirGradient) {
  for (const double gradient : {kNaN, kInfinity, -kInfinity, 5.0}) {
    GradProblem problem(GradCase().Type(GetParam().type).Channels(5).EmptyShare(1).Rois(9));
    problem.grad_output.SetAll(gradient);
    ASSERT_OK(RunGrad(problem.args(), OptionsFor(GetParam())).status);
    Tensor zeros(GetParam().type, problem.grad_input.shape());
    zeros.SetAll(0);
    EXPECT_TRUE(SameBits(zeros, problem.grad_input));
  }
}

INSTANTIATE_TEST_SUITE_P(All, GradValues, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
