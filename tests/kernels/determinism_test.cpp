// S2: the bits are the same from run to run, for every thread count, ISA and schedule.
#include <cstring>

#include "compare.h"
#include "kernel_rows.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// Shape A of the benchmarks.
GradCase ShapeA() { return GradCase().Images(2).Channels(256).Map(50, 68).Rois(1024).Pooled(7, 7).EmptyShare(0.02); }
GradCase SmallerShape() { return GradCase().Images(3).Channels(18).Map(20, 27).Rois(128).Pooled(7, 7); }

// The bytes that one run leaves in a poisoned grad_input.
std::vector<std::byte> BytesOfRun(GradProblem& problem, const Options& options) {
  std::memset(problem.grad_input.AddressOf(0), 0xff, problem.grad_input.Bytes().size());
  EXPECT_OK(RunGrad(problem.args(), options).status);
  return problem.grad_input.Bytes();
}

void ExpectSameBitsEverywhere(const GradCase& c, int repeats) {
  SCOPED_TRACE(c.Describe());
  GradProblem problem(c);
  std::vector<std::byte> expected_of[2];
  for (const Accumulation accumulation : {Accumulation::kFloat, Accumulation::kFixedPoint}) {
    Options options;
    options.accumulation = accumulation;
    expected_of[static_cast<int>(accumulation)] = ExpectedGrad(problem, options).Bytes();
  }
  for (const KernelRow& row : KernelRowsOf(Operator::kRoiPoolGrad, c.type)) {
    if (!WhyNotHere(row).empty()) continue;
    for (const int32_t threads : {1, 2, 8}) {
      EXPECT_TRUE(BytesOfRun(problem, OptionsFor(row, threads)) == expected_of[static_cast<int>(row.accumulation)])
          << row.name << " with " << threads << " threads";
    }
  }
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Options options;
    options.threads = 1 << repeat % 4;
    options.accumulation = repeat % 5 == 4 ? Accumulation::kFixedPoint : Accumulation::kFloat;
    ASSERT_TRUE(BytesOfRun(problem, options) == expected_of[static_cast<int>(options.accumulation)])
        << "repeat " << repeat << " with " << options.threads << " threads";
  }
}

TEST(Determinism, ShapeAInFloat32) { ExpectSameBitsEverywhere(ShapeA(), 50); }
TEST(Determinism, ShapeAWithUnsortedRoisAndStridedInputs) {
  ExpectSameBitsEverywhere(ShapeA()
                               .Channels(30)
                               .Order(ImageOrder::kDescending)
                               .GradOutputStrides(Strides::kChannelsLast)
                               .ArgmaxType(DataType::kInt64),
                           4);
}
TEST(Determinism, Float32) { ExpectSameBitsEverywhere(SmallerShape(), 50); }
TEST(Determinism, Float16) { ExpectSameBitsEverywhere(SmallerShape().Type(DataType::kFloat16), 50); }
TEST(Determinism, BFloat16) { ExpectSameBitsEverywhere(SmallerShape().Type(DataType::kBFloat16), 50); }
TEST(Determinism, Float64) { ExpectSameBitsEverywhere(SmallerShape().Type(DataType::kFloat64), 50); }

// The data must be able to show a wrong order: added backwards, it gives other bits.
TEST(Determinism, RealValuesShowTheOrderOfAddition) {
  const GradProblem problem(SmallerShape());
  const GradCase c = SmallerShape();
  GradProblem backwards(c);
  for (int64_t r = 0; r < c.rois; ++r) {
    const int64_t row = c.channels * c.pooled_h * c.pooled_w, other = c.rois - 1 - r;
    backwards.rois.SetBits(r * 5, problem.rois.Bits(other * 5));
    for (int64_t i = 0; i < row; ++i) {
      backwards.grad_output.SetBits(r * row + i, problem.grad_output.Bits(other * row + i));
      backwards.argmax.SetBits(r * row + i, problem.argmax.Bits(other * row + i));
    }
  }
  EXPECT_FALSE(SameBits(ReferenceGrad(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape()),
                        ReferenceGrad(backwards.grad_output, backwards.argmax, backwards.rois, problem.grad_input.shape())));
}

}  // namespace
}  // namespace roipool::test
