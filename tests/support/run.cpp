#include "run.h"

#include <cstring>

#include "compare.h"
#include "reference.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

template <typename Args, typename Phase1, typename Phase2>
RunResult Run(const Args& args, const Options& options, const Phase1& phase_1, const Phase2& phase_2) {
  RunResult result;
  ExecutorPtr executor;
  result.status = phase_1(args, options, &result.workspace_size, &executor);
  if (!result.status.ok()) {
    EXPECT_EQ(executor, nullptr);
    EXPECT_EQ(result.workspace_size, 0u);
    return result;
  }
  result.kernel = KernelName(*executor);
  const GuardedBuffer workspace = MakeWorkspace(result.workspace_size);
  result.status = phase_2(workspace.data(), result.workspace_size, executor.get());
  EXPECT_EQ(workspace.FindDamage(), "");
  return result;
}

}  // namespace

GuardedBuffer MakeWorkspace(uint64_t size, Fence fence) {
  GuardedBuffer workspace(static_cast<int64_t>(size), fence, static_cast<int64_t>(kWorkspaceAlignment));
  std::memset(workspace.data(), 0xff, size);
  return workspace;
}

RunResult RunGrad(const RoiPoolGradArgs& args, const Options& options) {
  return Run(args, options, RoiPoolGradGetWorkspaceSize, RoiPoolGrad);
}

RunResult RunPool(const RoiPoolArgs& args, const Options& options) {
  return Run(args, options, RoiPoolGetWorkspaceSize, RoiPool);
}

Tensor ExpectedGrad(const GradProblem& problem, const Options& options) {
  const auto reference = options.accumulation == Accumulation::kFloat ? ReferenceGrad : ReferenceGradInFixedPoint;
  return reference(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape());
}

void ExpectGradOfCase(const GradCase& c, const Options& options, const std::string& kernel) {
  const std::string note = c.Describe();
  SCOPED_TRACE(note);
  SetCrashNote(note);
  GradProblem problem(c);
  const Tensor expected = ExpectedGrad(problem, options);
  const auto chosen = static_cast<double>(problem.argmax.count()) * (1 - c.empty_share);
  if (c.grad_output_strides != Strides::kExpanded) {
    EXPECT_TRUE(IsTelling(expected, static_cast<int64_t>(chosen / 4)));
  }

  const RunResult result = RunGrad(problem.args(), options);
  ASSERT_OK(result.status);
  EXPECT_EQ(result.kernel, problem.argmax.count() == 0 ? "none" : kernel);
  EXPECT_TRUE(SameBits(expected, problem.grad_input));

  const GradProblem before(c);
  for (const Tensor GradProblem::* tensor : {&GradProblem::grad_output, &GradProblem::argmax, &GradProblem::rois}) {
    EXPECT_EQ((problem.*tensor).Bytes(), (before.*tensor).Bytes());
  }
  for (const Tensor GradProblem::* tensor :
       {&GradProblem::grad_output, &GradProblem::argmax, &GradProblem::rois, &GradProblem::grad_input}) {
    EXPECT_EQ((problem.*tensor).FindDamage(), "");
  }
}

void ExpectPoolOfProblem(PoolProblem& problem, const std::string& note, const Options& options, const std::string& kernel) {
  SCOPED_TRACE(note);
  SetCrashNote(note);
  const PoolCase& c = problem.shape;
  const PoolResult expected =
      ReferencePool(problem.x, problem.rois, c.pooled_h, c.pooled_w, c.scale_h, c.scale_w, c.geometry, c.roi_layout);
  const std::vector<std::byte> x_before = problem.x.Bytes(), rois_before = problem.rois.Bytes();

  const RunResult result = RunPool(problem.args(), problem.WithGeometry(options));
  ASSERT_OK(result.status);
  EXPECT_EQ(result.kernel, problem.y.count() == 0 ? "none" : kernel);
  EXPECT_TRUE(SameBits(expected.argmax, problem.argmax)) << "argmax";
  EXPECT_TRUE(SameBits(expected.y, problem.y)) << "y";

  EXPECT_EQ(problem.x.Bytes(), x_before);
  EXPECT_EQ(problem.rois.Bytes(), rois_before);
  for (const Tensor* tensor : {&problem.x, &problem.rois, &problem.y, &problem.argmax}) EXPECT_EQ(tensor->FindDamage(), "");
}

void ExpectPoolOfCase(const PoolCase& c, const Options& options, const std::string& kernel) {
  PoolProblem problem(c);
  ExpectPoolOfProblem(problem, c.Describe(), options, kernel);
}

}  // namespace roipool::test
