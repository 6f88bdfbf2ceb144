// Who wins a window: ties, NaN, -Inf, -0, nobody.
#include <limits>
#include <utility>

#include "element.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Winner {
  uint64_t bits;
  double pixel;
};

class PoolValues : public PerKernel {
 protected:
  // Pools a plane of 2 x 2 pixels into one bin.
  static Winner Pool(const std::vector<double>& plane, const std::vector<double>& roi = {0, 0, 0, 1, 1}) {
    PoolProblem problem(PoolCase().Type(GetParam().type).Images(1).Channels(1).Map(2, 2).Rois(1).Pooled(1, 1));
    for (int64_t i = 0; i < 4; ++i) problem.x.SetNumber(i, plane[static_cast<size_t>(i)]);
    problem.SetRois({roi});
    EXPECT_OK(RunPool(problem.args(), OptionsFor(GetParam())).status);
    return {problem.y.Bits(0), problem.argmax.Number(0)};
  }
  static void ExpectWinner(const std::vector<double>& plane, double value, double pixel) {
    const Winner winner = Pool(plane);
    EXPECT_EQ(winner.bits, BitsOf(value, GetParam().type)) << testing::PrintToString(plane);
    EXPECT_EQ(winner.pixel, pixel) << testing::PrintToString(plane);
  }
};

TEST_P(PoolValues, FirstOfEqualOnesWins) {
  ExpectWinner({7, 7, 7, 7}, 7, 0);
  ExpectWinner({1, 7, 7, 2}, 7, 1);
  ExpectWinner({-3, -3, -4, -3}, -3, 0);
}

TEST_P(PoolValues, ZerosOfEitherSignAreEqual) {
  ExpectWinner({-0.0, 0, 0, 0}, -0.0, 0);
  ExpectWinner({-1, 0, -0.0, -1}, 0, 1);
  ExpectWinner({-1, -0.0, 0, -1}, -0.0, 1);
}

TEST_P(PoolValues, NaNNeverWins) {
  ExpectWinner({kNaN, 1, 2, kNaN}, 2, 2);
  ExpectWinner({kNaN, -kInfinity, kNaN, kNaN}, -kInfinity, 1);
  ExpectWinner({3, kNaN, 2, 1}, 3, 0);
}

TEST_P(PoolValues, WindowOfNaNHasNoWinner) { ExpectWinner({kNaN, kNaN, kNaN, kNaN}, 0, -1); }

TEST_P(PoolValues, InfinitiesAreNumbers) {
  ExpectWinner({-kInfinity, -kInfinity, -kInfinity, -kInfinity}, -kInfinity, 0);
  ExpectWinner({-kInfinity, -LargestOf(GetParam().type), -kInfinity, -kInfinity}, -LargestOf(GetParam().type), 1);
  ExpectWinner({1, kInfinity, kInfinity, LargestOf(GetParam().type)}, kInfinity, 1);
}

TEST_P(PoolValues, SubnormalsAreNotZero) {
  const double smallest = SmallestOf(GetParam().type);
  ExpectWinner({0, smallest, 2 * smallest, smallest}, 2 * smallest, 2);
  ExpectWinner({-2 * smallest, -smallest, -3 * smallest, -smallest}, -smallest, 1);
}

TEST_P(PoolValues, EmptyWindowGivesPositiveZeroAndMinusOne) {
  const Winner winner = Pool({-1, -2, -3, -4}, {0, 10, 10, 12, 12});
  EXPECT_EQ(winner.bits, 0u);
  EXPECT_EQ(winner.pixel, -1);
}

TEST_P(PoolValues, MapWithoutPixelsHasOnlyEmptyWindows) {
  for (const auto& [height, width] : {std::pair{0, 4}, std::pair{4, 0}, std::pair{0, 0}}) {
    PoolProblem problem(PoolCase().Type(GetParam().type).Map(4, 4).Images(2).Channels(3).Rois(2));
    RoiPoolArgs args = problem.args();
    const Tensor no_pixels(GetParam().type, {2, 3, height, width});
    args.x = no_pixels.view();
    for (const void* data : {args.x.data, static_cast<const void*>(nullptr)}) {
      args.x.data = data;
      EXPECT_OK(RunPool(args, OptionsFor(GetParam())).status);
      for (const double y : problem.y.Numbers()) EXPECT_EQ(y, 0);
      for (const double pixel : problem.argmax.Numbers()) EXPECT_EQ(pixel, -1);
    }
  }
}

// Images, channels, rows and columns, which memory does not limit here.
TEST_P(PoolValues, AnyNumberOfMapsWithoutPixels) {
  PoolProblem problem(PoolCase().Type(GetParam().type).Images(1).Channels(1 << 16).Rois(2).Pooled(1, 1).Map(1, 1));
  problem.SetRois({{0, 0, 0, 1, 1}, {(1 << 20) - 1, 0, 0, 1, 1}});
  RoiPoolArgs args = problem.args();
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max(), kBeyond = 3'000'000'000;
  for (const auto& [height, width] : {std::pair<int64_t, int64_t>{0, 4}, {0, kMost}, {kMost, 0}, {0, kBeyond}, {kBeyond, 0}}) {
    const Tensor no_pixels(GetParam().type, {1 << 20, 1 << 16, height, width});
    args.x = no_pixels.view();
    EXPECT_OK(RunPool(args, OptionsFor(GetParam())).status);
    for (const double pixel : problem.argmax.Numbers()) ASSERT_EQ(pixel, -1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PoolValues, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
