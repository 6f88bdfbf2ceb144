// OpenCL with the caller's memory objects.
#include "opencl_objects.h"

#include <gmock/gmock.h>

#include "compare.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

TEST_P(MemoryObjects, AreComputedInTheCallersQueue) {
  for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64}) {
    GradProblem problem(GradCase().Type(GetParam().type).ArgmaxType(argmax_type).Rois(20).GradInputStrides(Strides::kPadded));
    const RoiPoolGradArgs args = Upload(problem);
    uint64_t size = 0;
    ExecutorPtr executor;
    ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
    ASSERT_OK(RoiPoolGrad(Make(size), size, executor.get()));
    ASSERT_OK(Synchronize(executor.get()));
    Read(args.grad_input.data, problem.grad_input);
    EXPECT_TRUE(SameGradient(problem, InOwnQueue()));
    EXPECT_EQ(problem.grad_input.FindDamage(), "") << "the gaps are as they were";
  }
}

TEST_P(MemoryObjects, ErrorsComeFromSynchronize) {
  GradProblem problem(GradCase().Type(GetParam().type));
  problem.argmax.SetNumber(7, 35);
  const RoiPoolGradArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  ASSERT_OK(RoiPoolGrad(Make(size), size, executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, "argmax[0, 0, 2, 1] is 35");
  EXPECT_OK(Synchronize(executor.get())) << "told once";
}

TEST_P(MemoryObjects, MistakesAreErrors) {
  GradProblem problem(GradCase().Type(GetParam().type));
  RoiPoolGradArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  Options options = InOwnQueue();
  options.device_stream = nullptr;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, options, &size, &executor), StatusCode::kNullArgument,
               "options.device_stream is null");
  args.grad_input.data = const_cast<void*>(args.grad_output.data);
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kOverlap, "grad_input.data");
  args = Upload(problem);
  args.rois.strides[0] = -5;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kUnsupported,
               "rois has a negative stride");
  args.rois.strides[0] = 5;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  EXPECT_FAILS(RoiPoolGrad(nullptr, size, executor.get()), StatusCode::kInvalidWorkspace, "workspace is null");
  EXPECT_FAILS(RoiPoolGrad(args.grad_input.data, size, executor.get()), StatusCode::kOverlap, "workspace is");
}

// Objects of another kind: OpenCL finds out when it is called.
TEST_P(MemoryObjects, WrongObjectsAreErrorsOfTheDevice) {
  GradProblem problem(GradCase().Type(GetParam().type));
  const RoiPoolGradArgs args = Upload(problem);
  const auto make = [&](size_t size) { return Make(size); };
  const auto run = [&](const Options& options, const auto& make_workspace) {
    uint64_t size = 0;
    ExecutorPtr executor;
    Status status = RoiPoolGradGetWorkspaceSize(args, options, &size, &executor);
    if (status.ok()) status = RoiPoolGrad(make_workspace(size), size, executor.get());
    return status.ok() ? Synchronize(executor.get()) : status;
  };
  Options no_queue = InOwnQueue(), no_context = InOwnQueue();
  no_queue.device_stream = context_;
  no_context.device_context = queue_;
  EXPECT_FAILS(run(no_queue, make), StatusCode::kDeviceError, "RoiPoolGrad");
  EXPECT_FALSE(run(no_context, make).ok());
  ASSERT_OK(run(InOwnQueue(), make)) << "after all of them";
  Read(args.grad_input.data, problem.grad_input);
  EXPECT_TRUE(SameGradient(problem, InOwnQueue()));
}

INSTANTIATE_TEST_SUITE_P(All, MemoryObjects, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
