// The library never prints: what it has to say is in the Status.
#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

// Everything that may make somebody want to print.
void UseTheLibrary() {
  GradProblem grad{GradCase()};
  PoolProblem pool{PoolCase()};
  EXPECT_OK(Call<PoolOperator>(pool.args()).Run());
  EXPECT_OK(Call<GradOperator>(grad.args()).Run());
  grad.argmax.SetNumber(3, 1000);
  EXPECT_FALSE(Call<GradOperator>(grad.args()).Run().ok());
  grad.rois.SetNumber(0, -1);
  EXPECT_FALSE(Call<GradOperator>(grad.args()).Run().ok());
  uint64_t size = 0;
  ExecutorPtr executor;
  RoiPoolGradArgs args = grad.args();
  args.rois.rank = 7;
  EXPECT_FALSE(RoiPoolGradGetWorkspaceSize(args, {}, &size, &executor).ok());
  KernelExplanation explanation;
  for (int64_t i = 0; i < KernelCount(); ++i) EXPECT_OK(ExplainKernel(i, {}, &explanation));
}

TEST(Quiet, NothingIsPrinted) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  UseTheLibrary();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace roipool::test
