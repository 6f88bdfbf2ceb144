// S4: inputs that another thread changes during the run. The result is anybody's guess; memory outside the buffers is not.
#include "compare.h"
#include "flipper.h"
#include "kernel_rows.h"
#include "operators.h"
#include "reference.h"

namespace roipool::test {
namespace {

class ChangingData : public PerKernel {
 protected:
  // Runs the case again and again while `flip` works on it.
  template <typename Flip>
  static void RunWhile(const GradCase& c, const Flip& flip) {
    SetCrashNote(c.Describe());
    GradProblem problem(c);
    Options options = OptionsFor(GetParam());
    options.repeatable = true;
    Call<GradOperator> call(problem.args(), options);
    int refused = 0, succeeded = 0;
    {
      const Flipper flipper = flip(problem);
      for (int repeat = 0; repeat < MostRepeats() && (refused < 20 || succeeded < 20); ++repeat) {
        const Status status = call.Run();
        ++(status.ok() ? succeeded : refused);
        EXPECT_TRUE(status.ok() || status.code() == StatusCode::kOutOfRange) << status.message();
      }
    }
    EXPECT_GT(refused, 0) << "no run met a bad value: this test shows nothing";
    for (const Tensor* tensor : GradOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
    EXPECT_EQ(call.workspace->FindDamage(), "");
  }
  // A GPU's call takes a hundred times longer.
  static int MostRepeats() { return GetParam().device == Device::kCpu ? 3000 : 60; }
  static GradCase Shape() { return GradCase().Type(GetParam().type).Rois(60).Channels(10).Pooled(7, 7).Map(9, 11); }
};

TEST_P(ChangingData, Argmax) {
  for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
    // All entries, one after the other; and a few, so often that they change between a check and its use.
    for (const int64_t step : {1, 2503}) {
      for (const double empty_share : {0.0, 0.1}) {
        RunWhile(Shape().Fenced(fence).EmptyShare(empty_share), [step](GradProblem& problem) {
          return Flipper(problem.argmax, {5, 1e9, 98, -1e9, 99, -1, -2147483648.0, 2147483647.0}, step);
        });
      }
    }
  }
}

// A run that succeeds has met no bad value, not even one that was gone when the row was checked and there when it was added.
TEST_P(ChangingData, BadValuesNeverCount) {
  constexpr int64_t kStep = 2503;
  GradProblem problem(AddsInAnyOrder(GetParam()) ? Shape().Data(Values::kInteger) : Shape());
  for (int64_t i = 0; i < problem.argmax.count(); i += kStep) problem.argmax.SetNumber(i, -1);
  Options options = OptionsFor(GetParam());
  const Tensor expected = ExpectedGrad(problem, options);
  options.repeatable = true;
  Call<GradOperator> call(problem.args(), options);
  const Flipper flipper(problem.argmax, {-1, 99, -1, -2}, kStep);
  for (int repeat = 0, succeeded = 0; repeat < MostRepeats() && succeeded < 100; ++repeat) {
    problem.grad_input.SetAll(-1234);
    const Status status = call.Run();
    if (!status.ok()) continue;
    ++succeeded;
    ASSERT_TRUE(SameBits(expected, problem.grad_input)) << "repeat " << repeat;
  }
}

TEST_P(ChangingData, ConvertedArgmax) {
  RunWhile(Shape().ArgmaxType(DataType::kInt64),
           [](GradProblem& problem) { return Flipper(problem.argmax, {5, 1e15, 98, -1e15, 99, -1}, 1); });
}

TEST_P(ChangingData, ImageIndices) {
  for (const int64_t step : {5, 35}) {
    RunWhile(Shape(), [step](GradProblem& problem) { return Flipper(problem.rois, {0, 1e9, 1, -5, 0, 0.5, 1, 3e38}, step); });
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChangingData, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
