// The wording of one message of each kind, word for word: function, argument, value, rule, next step.
#include <gtest/gtest.h>

#include "grad_case.h"
#include "kernel_rows.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

void ExpectMessage(const Status& status, const std::string& message) { EXPECT_EQ(std::string(status.message()), message); }

Status Phase1(const RoiPoolGradArgs& args, const Options& options = {}) {
  uint64_t size = 0;
  ExecutorPtr executor;
  return RoiPoolGradGetWorkspaceSize(args, options, &size, &executor);
}

TEST(Messages, OfPhase1) {
  GradProblem problem{GradCase()};
  RoiPoolGradArgs args = problem.args();
  args.argmax.shape[2] = 4;
  ExpectMessage(Phase1(args), "RoiPoolGradGetWorkspaceSize: argmax.shape[2] is 4, must equal grad_output.shape[2] (3)");
  args = problem.args();
  args.grad_output.rank = 3;
  ExpectMessage(Phase1(args), "RoiPoolGradGetWorkspaceSize: grad_output.rank is 3, must be 4");
  args = problem.args();
  args.rois.type = DataType::kInt32;
  ExpectMessage(Phase1(args), "RoiPoolGradGetWorkspaceSize: rois.type is i32 (4), must be f32, f16, bf16 or f64");
  Options options;
  options.schedule = "fast";
  std::string schedules;
  for (const std::string& schedule : SchedulesOf(Operator::kRoiPoolGrad))
    schedules += (schedules.empty() ? "" : ", ") + schedule;
  ExpectMessage(Phase1(problem.args(), options),
                "RoiPoolGradGetWorkspaceSize: options.schedule is \"fast\", must be one of: " + schedules);
}

TEST(Messages, OfPhase2) {
  GradProblem problem{GradCase()};
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(problem.args(), {}, &size, &executor));
  const GuardedBuffer workspace = MakeWorkspace(size);
  ExpectMessage(RoiPoolGrad(workspace.data(), 64, executor.get()),
                "RoiPoolGrad: workspace_size is 64 bytes, this executor needs 192");
  ExpectMessage(RoiPoolGrad(nullptr, 192, executor.get()), "RoiPoolGrad: workspace is null, this executor needs 192 bytes");
  ExpectMessage(RoiPoolGrad(workspace.data(), size, nullptr),
                "RoiPoolGrad: executor is null, must come from RoiPoolGradGetWorkspaceSize");
  ASSERT_OK(RoiPoolGrad(workspace.data(), size, executor.get()));
  ExpectMessage(RoiPoolGrad(workspace.data(), size, executor.get()),
                "RoiPoolGrad: executor has run already, may run once; set options.repeatable or plan again");
}

TEST(Messages, OfBadContents) {
  GradProblem problem{GradCase()};
  problem.argmax.SetNumber(7, 35);
  ExpectMessage(RunGrad(problem.args(), {}).status,
                "RoiPoolGrad: argmax[0, 0, 2, 1] is 35, must be -1 or a whole number in [0, 35)");
  problem.rois.SetNumber(15, 2);
  ExpectMessage(RunGrad(problem.args(), {}).status,
                "RoiPoolGrad: rois[3, 0] is 2, the image index must be a whole number in [0, 2)");
}

}  // namespace
}  // namespace roipool::test
