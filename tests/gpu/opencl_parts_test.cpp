// OpenCL with parts of memory objects, objects that are too small, and runs that share a workspace.
#include <gmock/gmock.h>

#include "compare.h"
#include "opencl_objects.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

using PartsOfMemoryObjects = MemoryObjects;

constexpr size_t kPage = 4096;  // More than any device's alignment of parts.

size_t Pages(size_t size) { return (size + kPage - 1) / kPage * kPage; }

TEST_P(PartsOfMemoryObjects, AreComputedLikeWholeOnes) {
  GradProblem problem(GradCase().Type(GetParam().type));
  RoiPoolGradArgs args = problem.args();
  uint64_t size = 0;
  ExecutorPtr executor;
  for (const void** data : {&args.grad_output.data, &args.argmax.data, &args.rois.data}) *data = nullptr;
  args.grad_input.data = nullptr;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  void* const pool = Make(4 * kPage + Pages(problem.grad_output.Bytes().size()) + Pages(size));
  size_t begin = 0;
  const auto take = [&](size_t bytes) {
    void* const part = MakePart(pool, begin, bytes);
    begin += Pages(bytes);
    return part;
  };
  const auto upload = [&](const Tensor& tensor) {
    void* const part = take(tensor.Bytes().size());
    Write(part, tensor);
    return part;
  };
  void* const output = upload(problem.grad_input);
  void *const gradients = upload(problem.grad_output), *const argmax = upload(problem.argmax),
              *const rois = upload(problem.rois);
  ASSERT_OK(SetRoiPoolGradData(executor.get(), gradients, argmax, rois, output));
  ASSERT_OK(RoiPoolGrad(take(size), size, executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  Read(output, problem.grad_input);
  EXPECT_TRUE(SameGradient(problem, InOwnQueue()));
}

TEST_P(PartsOfMemoryObjects, AreSeenToOverlap) {
  GradProblem problem(GradCase().Type(GetParam().type));
  RoiPoolGradArgs args = Upload(problem);
  void* const pool = Make(4 * kPage);
  uint64_t size = 0;
  ExecutorPtr executor;
  void* const output = args.grad_input.data;
  args.grad_output.data = MakePart(pool, 0, 2 * kPage);
  args.grad_input.data = MakePart(pool, kPage, 2 * kPage);
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kOverlap, "grad_input.data",
               "overlaps grad_output.data");
  args.grad_input.data = pool;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kOverlap, "grad_input.data");
  args.grad_input.data = MakePart(pool, 2 * kPage, kPage);
  EXPECT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor)) << "beside each other";
  args.grad_input.data = output;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  void* const large = Make(Pages(size) + kPage);
  ASSERT_OK(SetRoiPoolGradData(executor.get(), MakePart(large, 0, 2 * kPage), args.argmax.data, args.rois.data, output));
  EXPECT_FAILS(RoiPoolGrad(large, size, executor.get()), StatusCode::kOverlap, "workspace is", "overlaps grad_output.data");
}

TEST_P(PartsOfMemoryObjects, AreLargeEnough) {
  GradProblem problem(GradCase().Type(GetParam().type));
  RoiPoolGradArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  const void* const argmax = args.argmax.data;
  const size_t bytes = problem.argmax.Bytes().size();
  args.argmax.data = Make(bytes - 4);
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kInvalidArgument,
               "argmax.data is a memory object of " + std::to_string(bytes - 4) + " bytes, the tensor reaches to byte " +
                   std::to_string(bytes));
  args.argmax.data = argmax;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  EXPECT_FAILS(RoiPoolGrad(Make(64), size, executor.get()), StatusCode::kInvalidWorkspace,
               "workspace is a memory object of 64 bytes, this executor needs " + std::to_string(size));
  EXPECT_OK(RoiPoolGrad(Make(size), size, executor.get())) << "the executor was given back";
  EXPECT_OK(Synchronize(executor.get()));
}

TEST_P(PartsOfMemoryObjects, MayShareAWorkspaceInTheQueuesOrder) {
  GradProblem bad(GradCase().Type(GetParam().type)), good(GradCase().Type(GetParam().type));
  bad.argmax.SetNumber(7, 35);
  const RoiPoolGradArgs bad_args = Upload(bad), good_args = Upload(good);
  uint64_t size = 0;
  ExecutorPtr bad_executor, good_executor;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(bad_args, InOwnQueue(), &size, &bad_executor));
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(good_args, InOwnQueue(), &size, &good_executor));
  void* const workspace = Make(size);
  ASSERT_OK(RoiPoolGrad(workspace, size, bad_executor.get()));
  ASSERT_OK(RoiPoolGrad(workspace, size, good_executor.get()));
  EXPECT_OK(Synchronize(good_executor.get()));
  EXPECT_FAILS(Synchronize(bad_executor.get()), StatusCode::kOutOfRange, "argmax[0, 0, 2, 1] is 35");
  Read(good_args.grad_input.data, good.grad_input);
  EXPECT_TRUE(SameGradient(good, InOwnQueue()));
}

INSTANTIATE_TEST_SUITE_P(All, PartsOfMemoryObjects, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
