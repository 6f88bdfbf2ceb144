// What a GPU promises of the forward beside its kernels' results: errors in contents, and bins without number.
#include <cmath>

#include "compare.h"
#include "kernel_rows.h"
#include "operators.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

class DevicePool : public PerKernel {
 protected:
  static PoolCase Shape() { return PoolCase().Type(GetParam().type).Channels(2); }

  // The device finds it; who is named, and with which words, is as on the CPU.
  template <typename Spoil>
  static void ExpectAsOnCpu(const PoolCase& c, const Spoil& spoil) {
    PoolProblem problem(c);
    spoil(problem);
    const std::string expected = RunPool(problem.args(), problem.WithGeometry({})).status.message();
    ASSERT_NE(expected, "");
    const Status status = RunPool(problem.args(), problem.WithGeometry(OptionsFor(GetParam()))).status;
    EXPECT_FAILS(status, StatusCode::kOutOfRange, expected.substr(expected.find(": ") + 1));
    for (const Tensor* tensor : PoolOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
  }
};

TEST_P(DevicePool, NothingToComputeIsNoCall) {
  for (const auto& [rois, channels] : {std::pair{0, 2}, std::pair{3, 0}}) {
    PoolProblem problem(Shape().Rois(rois).Channels(channels));
    const RunResult result = RunPool(problem.args(), OptionsFor(GetParam()));
    EXPECT_OK(result.status);
    EXPECT_EQ(result.kernel, "none");
  }
}

TEST_P(DevicePool, BadImagesAreNamedAsOnTheCpu) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat64}) {
    for (const double image : {2.0, -1.0, 0.5, 1e9, static_cast<double>(NAN), HUGE_VAL}) {
      ExpectAsOnCpu(Shape().RoisType(type), [&](PoolProblem& problem) { problem.rois.SetNumber(15, image); });
    }
  }
}

TEST_P(DevicePool, BadBoxesAreNamedAsOnTheCpu) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    for (const RoiLayout layout : {RoiLayout::kX1Y1X2Y2, RoiLayout::kX1X2Y1Y2}) {
      for (const int64_t column : {1, 2, 3, 4}) {
        for (const double coordinate : {static_cast<double>(NAN), HUGE_VAL, -HUGE_VAL}) {
          ExpectAsOnCpu(Shape().RoisType(type).Layout(layout),
                        [&](PoolProblem& problem) { problem.rois.SetNumber(35 + column, coordinate); });
        }
      }
    }
  }
}

TEST_P(DevicePool, BadImagesComeBeforeBadBoxes) {
  ExpectAsOnCpu(Shape(), [](PoolProblem& problem) {
    problem.rois.SetNumber(1, NAN);
    problem.rois.SetNumber(55, 2);
  });
}

// Every image index is out of range then.
TEST_P(DevicePool, ABatchWithoutImagesIsAnError) {
  PoolProblem problem(Shape());
  RoiPoolArgs args = problem.args();
  const Tensor no_images(GetParam().type, {0, 2, 9, 11});
  args.x = no_images.view();
  EXPECT_FAILS(RunPool(args, OptionsFor(GetParam())).status, StatusCode::kOutOfRange, "rois[0, 0] is", "in [0, 0)");
}

// A grid's first dimension takes more blocks than the others.
TEST_P(DevicePool, MoreBinsThanADimensionOfBlocksTakes) {
  for (const auto& [height, width] : {std::pair{70000, 1}, std::pair{2, 70000}, std::pair{1, 300}, std::pair{300, 2}}) {
    ExpectPoolOfCase(Shape().Pooled(height, width).Rois(2).Map(2, 2), OptionsFor(GetParam()), GetParam().name);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DevicePool, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
