// S4: boxes of the forward that another thread changes during the run.
#include "flipper.h"
#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

TEST(ChangingBoxes, OfTheForward) {
  for (const KernelRow& row : PoolRows()) {
    if (row.type != DataType::kFloat32 || !WhyNotHere(row).empty()) continue;
    const PoolCase c = PoolCase().Rois(60);
    SetCrashNote(c.Describe());
    PoolProblem problem(c);
    Options options = OptionsFor(row);
    options.repeatable = true;
    Call<PoolOperator> call(problem.args(), options);
    {
      const Flipper flipper(problem.rois, {0, 1e9, 1, -5, 0.5, 3e38}, 1);
      for (int repeat = 0; repeat < 60; ++repeat) {
        const Status status = call.Run();
        EXPECT_TRUE(status.ok() || status.code() == StatusCode::kOutOfRange) << status.message();
      }
    }
    for (const Tensor* tensor : PoolOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
    EXPECT_EQ(call.workspace->FindDamage(), "");
  }
}

}  // namespace
}  // namespace roipool::test
