// What a GPU promises beside its kernels' results: fixed point's bits, and errors in contents.
#include <cstring>

#include "compare.h"
#include "kernel_rows.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// What waits is another function than what runs.
std::string WithoutFunction(const Status& status) {
  const std::string message = status.message();
  return message.substr(message.find(": ") + 1);
}

class DeviceGrad : public PerKernel {};

TEST_P(DeviceGrad, NoRoisGiveZeros) {
  GradProblem problem(GradCase().Rois(0).Type(GetParam().type));
  ASSERT_OK(RunGrad(problem.args(), OptionsFor(GetParam())).status);
  EXPECT_TRUE(SameBits(ExpectedGrad(problem, {}), problem.grad_input));
  for (const auto& [channels, images] : {std::pair{0, 2}, std::pair{3, 0}}) {
    GradProblem nothing(GradCase().Rois(images == 0 ? 0 : 4).Channels(channels).Images(images).Type(GetParam().type));
    const RunResult result = RunGrad(nothing.args(), OptionsFor(GetParam()));
    EXPECT_OK(result.status);
    EXPECT_EQ(result.kernel, "none");
  }
}

// Real values, 50 times, and the CPU's own fixed point.
TEST_P(DeviceGrad, FixedPointHasTheSameBitsInEveryRunAndOnTheCpu) {
  if (GetParam().accumulation != Accumulation::kFixedPoint) GTEST_SKIP() << "floats are added in any order";
  GradProblem problem(GradCase().Type(GetParam().type).Rois(24).Channels(6).Images(3).Map(9, 8));
  Options on_cpu;
  on_cpu.accumulation = Accumulation::kFixedPoint;
  ASSERT_OK(RunGrad(problem.args(), on_cpu).status);
  const std::vector<std::byte> expected = problem.grad_input.Bytes();
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::memset(problem.grad_input.AddressOf(0), 0xff, expected.size());
    ASSERT_OK(RunGrad(problem.args(), OptionsFor(GetParam())).status);
    ASSERT_TRUE(problem.grad_input.Bytes() == expected) << "repeat " << repeat;
  }
}

// The device finds them; who is named, and with which words, is as on the CPU.
TEST_P(DeviceGrad, BadContentsAreNamedAsOnTheCpu) {
  const auto expect_as_on_cpu = [&](const auto& spoil) {
    GradProblem problem(GradCase().Type(GetParam().type).Channels(4));
    spoil(problem);
    const std::string expected = WithoutFunction(RunGrad(problem.args(), {}).status);
    EXPECT_NE(expected, "");
    EXPECT_FAILS(RunGrad(problem.args(), OptionsFor(GetParam())).status, StatusCode::kOutOfRange, expected);
  };
  for (const int64_t entry : {INT64_C(0), INT64_C(77), INT64_C(215)}) {
    for (const double pixel : {35.0, -2.0, 2147483647.0, -2147483648.0}) {
      expect_as_on_cpu([&](GradProblem& problem) { problem.argmax.SetNumber(entry, pixel); });
    }
  }
  for (const double image : {2.0, -1.0, 0.5, 1e9, static_cast<double>(NAN), HUGE_VAL}) {
    expect_as_on_cpu([&](GradProblem& problem) { problem.rois.SetNumber(15, image); });
  }
}

// A grid's first dimension takes more blocks than the others.
TEST_P(DeviceGrad, MoreBinsThanADimensionOfBlocksTakes) {
  for (const auto& [height, width] : {std::pair{70000, 1}, std::pair{2, 70000}, std::pair{1, 300}, std::pair{300, 2}}) {
    GradProblem problem(GradCase().Type(GetParam().type).Pooled(height, width).Rois(2).Channels(2).Data(Values::kInteger));
    ASSERT_OK(RunGrad(problem.args(), OptionsFor(GetParam())).status);
    EXPECT_TRUE(SameBits(ExpectedGrad(problem, {}), problem.grad_input)) << height << " x " << width;
  }
}

TEST_P(DeviceGrad, BadArgmaxOfEveryType) {
  const DataType type = GetParam().type;
  const auto expect = [&](DataType argmax_type, double pixel) {
    GradProblem problem(GradCase().Type(type).ArgmaxType(argmax_type));
    problem.argmax.SetNumber(100, pixel);
    const std::string expected = WithoutFunction(RunGrad(problem.args(), {}).status);
    EXPECT_FAILS(RunGrad(problem.args(), OptionsFor(GetParam())).status, StatusCode::kOutOfRange, expected);
  };
  for (const double pixel : {35.0, -2.0, 4294967296.0, 4294967295.0, -4294967296.0, 9007199254740992.0})
    expect(DataType::kInt64, pixel);
  for (const double pixel : {35.0, -2.0, 0.5, -0.5, -1.5, 34.5, HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)})
    expect(type, pixel);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceGrad, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
