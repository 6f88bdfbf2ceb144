// Where bins of real-valued boxes begin and end: a million of them for each geometry (on a GPU's kernels, which run on a CPU
// here, a tenth of that unless every case is asked for), most with edges on, or a float's width beside, a whole or half pixel,
// where a product that is not rounded to float32 would move them.
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "compare.h"
#include "every_case.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

struct Bins {
  float scale_h, scale_w;
  int64_t pooled_h, pooled_w;
};

constexpr Bins kBins[] = {{1.0f / 16, 1.0f / 16, 7, 7}, {0.37f, 0.37f, 7, 7},      {1.0f, 1.0f, 5, 3},
                          {0.1f, 1.0f / 3, 14, 14},     {1.0f / 16, 0.37f, 2, 11}, {2.7f, 0.037f, 6, 10}};
constexpr int64_t kBinsOfEach = 170'000, kHeight = 50, kWidth = 68;
static_assert(kBinsOfEach * std::size(kBins) >= 1'000'000);

// A corner that the scale takes to `pixel`, rounded to float32, or up to two floats beside it. `added` is what the geometry
// adds to the corner first.
double BesidePixel(double pixel, float scale, double added, SeededRandom& random) {
  auto corner = static_cast<float>(pixel / static_cast<double>(scale) - added);
  for (int64_t steps = random.Whole(-2, 2); steps != 0; steps += steps < 0 ? 1 : -1) {
    corner = std::nextafter(corner, steps < 0 ? -HUGE_VALF : HUGE_VALF);
  }
  return static_cast<double>(corner);
}

// One axis of a box, in the image's coordinates; many reach out of a map of `size` pixels.
std::pair<double, double> MakeInterval(int64_t size, float scale, SeededRandom& random) {
  const auto extent = static_cast<double>(size);
  const double length = std::exp(random.Fraction() * std::log(1.5 * extent));
  const double begin = random.Between(-length / 2, extent - length / 2), end = begin + length;
  if (random.Chance(0.3)) return {begin / static_cast<double>(scale), end / static_cast<double>(scale)};
  // kTorchvision rounds, so that halves matter; kAclnn does not, and adds 1 to the last corner.
  const double half = random.Chance(0.5) ? 0.5 : 0.0, added = random.Chance(0.5) ? 1.0 : 0.0;
  return {BesidePixel(std::floor(begin) + half, scale, 0, random), BesidePixel(std::floor(end) + half, scale, added, random)};
}

// Numbers that every type can hold, ascending in channel 0, whose largest one is a window's last pixel, and descending in
// channel 1, where it is the first: no edge can move without moving an argmax.
void FillMonotonic(Tensor& x) {
  constexpr int64_t kPixels = kHeight * kWidth;
  static_assert(kPixels <= 30 * 128, "float16 has 30 binades of normal numbers, bfloat16 128 numbers in each");
  for (int64_t pixel = 0; pixel < kPixels; ++pixel) {
    const double number = std::ldexp(static_cast<double>(128 + pixel % 128), static_cast<int>(pixel / 128) - 21);
    x.SetNumber(pixel, number);
    x.SetNumber(2 * kPixels - 1 - pixel, number);
  }
}

PoolProblem MakeProblem(const Bins& bins, Geometry geometry, const KernelRow& row) {
  const int64_t count = RunsEveryCase(row) ? kBinsOfEach : kBinsOfEach / 10;
  const int64_t rois = count / (bins.pooled_h * bins.pooled_w) + 1;
  PoolProblem problem(PoolCase()
                          .Type(row.type)
                          .Shape(geometry)
                          .Images(1)
                          .Channels(2)
                          .Map(kHeight, kWidth)
                          .Rois(rois)
                          .Pooled(bins.pooled_h, bins.pooled_w)
                          .Scale(bins.scale_h, bins.scale_w));
  FillMonotonic(problem.x);
  SeededRandom random(static_cast<uint64_t>(&bins - kBins));
  std::vector<std::vector<double>> rows;
  for (int64_t r = 0; r < rois; ++r) {
    const auto [x1, x2] = MakeInterval(kWidth, bins.scale_w, random);
    const auto [y1, y2] = MakeInterval(kHeight, bins.scale_h, random);
    rows.push_back({0, x1, y1, x2, y2});
  }
  problem.SetRois(rows);
  return problem;
}

// The reference computes edges bin by bin in float32, in code that shares nothing with the generators' and is compiled without
// contraction. One result serves all kernels of a type.
const PoolResult& ExpectedOf(const PoolProblem& problem, const Bins& bins) {
  static std::map<std::tuple<DataType, Geometry, const Bins*>, PoolResult> results;
  const PoolCase& c = problem.shape;
  const std::tuple key(c.type, c.geometry, &bins);
  if (!results.contains(key)) {
    results.emplace(
        key, ReferencePool(problem.x, problem.rois, c.pooled_h, c.pooled_w, c.scale_h, c.scale_w, c.geometry, c.roi_layout));
  }
  return results.at(key);
}

// All bytes at once: element by element takes longer than the kernels.
testing::AssertionResult Equal(const Tensor& expected, const Tensor& actual) {
  return expected.Bytes() == actual.Bytes() ? testing::AssertionSuccess() : SameBits(expected, actual);
}

class PoolEdges : public PerKernel {};

TEST_P(PoolEdges, EveryBinOfRealBoxes) {
  for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
    for (const Bins& bins : kBins) {
      PoolProblem problem = MakeProblem(bins, geometry, GetParam());
      SCOPED_TRACE(problem.shape.Describe() + " with boxes of its own");
      const PoolResult& expected = ExpectedOf(problem, bins);
      const RunResult result = RunPool(problem.args(), problem.WithGeometry(OptionsFor(GetParam())));
      ASSERT_OK(result.status);
      EXPECT_EQ(result.kernel, GetParam().name);
      EXPECT_TRUE(Equal(expected.argmax, problem.argmax)) << "argmax";
      EXPECT_TRUE(Equal(expected.y, problem.y)) << "y";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PoolEdges, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
