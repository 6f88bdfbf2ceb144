// The forward on OpenCL with the caller's memory objects, or parts of them.
#include <gmock/gmock.h>

#include <cmath>

#include "opencl_objects.h"
#include "operators.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

using PoolMemoryObjects = MemoryObjects;

// More than any device's alignment of parts.
constexpr size_t kPage = 4096;
size_t Pages(size_t size) { return (size + kPage - 1) / kPage * kPage; }

TEST_P(PoolMemoryObjects, AreComputedInTheCallersQueue) {
  const PoolCase c = PoolCase().Type(GetParam().type).Rois(20).YStrides(Strides::kPadded).XStrides(Strides::kChannelsLast);
  PoolProblem problem(c);
  const RoiPoolArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  EXPECT_STREQ(KernelName(*executor), GetParam().name);
  ASSERT_OK(RoiPool(Make(size), size, executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  Read(args.y.data, problem.y);
  Read(args.argmax.data, problem.argmax);
  EXPECT_TRUE(ResultBytes<PoolOperator>(problem) == ExpectedBytes<PoolOperator>(c));
  for (const Tensor* tensor : PoolOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "") << "gaps are as they were";
}

TEST_P(PoolMemoryObjects, ErrorsComeFromSynchronize) {
  PoolProblem problem(PoolCase().Type(GetParam().type));
  problem.rois.SetNumber(12, NAN);
  const RoiPoolArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  ASSERT_OK(RoiPool(Make(size), size, executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, "rois[2, 2] is ");
  EXPECT_OK(Synchronize(executor.get())) << "told once";
}

TEST_P(PoolMemoryObjects, MistakesAreErrors) {
  PoolProblem problem(PoolCase().Type(GetParam().type));
  RoiPoolArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  Options options = InOwnQueue();
  options.device_stream = nullptr;
  EXPECT_FAILS(RoiPoolGetWorkspaceSize(args, options, &size, &executor), StatusCode::kNullArgument,
               "options.device_stream is null");
  args.argmax.data = args.y.data;
  EXPECT_FAILS(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kOverlap, "y.data",
               "overlaps argmax.data");
  args = Upload(problem);
  args.x.strides[2] = -args.x.strides[2];
  EXPECT_FAILS(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kUnsupported,
               "x has a negative stride");
  args = Upload(problem);
  ASSERT_OK(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  EXPECT_FAILS(RoiPool(args.y.data, size, executor.get()), StatusCode::kOverlap, "workspace is");
  EXPECT_FAILS(RoiPool(Make(64), size, executor.get()), StatusCode::kInvalidWorkspace, "workspace is a memory object of 64");
}

TEST_P(PoolMemoryObjects, PartsAreSetLater) {
  const PoolCase c = PoolCase().Type(GetParam().type);
  PoolProblem problem(c);
  RoiPoolArgs args = problem.args();
  PoolOperator::ClearPointers(args);
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  size_t begin = 0;
  for (const Tensor* tensor : PoolOperator::Tensors(problem)) begin += Pages(tensor->Bytes().size());
  void* const pool = Make(begin + size);
  void* const workspace = MakePart(pool, begin, size);
  begin = 0;
  const auto upload = [&](const Tensor& tensor) {
    void* const part = MakePart(pool, begin, tensor.Bytes().size());
    begin += Pages(tensor.Bytes().size());
    Write(part, tensor);
    return part;
  };
  void *const x = upload(problem.x), *const rois = upload(problem.rois), *const y = upload(problem.y),
              *const argmax = upload(problem.argmax);
  ASSERT_OK(SetRoiPoolData(executor.get(), x, rois, y, argmax));
  ASSERT_OK(RoiPool(workspace, size, executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  Read(y, problem.y);
  Read(argmax, problem.argmax);
  EXPECT_TRUE(ResultBytes<PoolOperator>(problem) == ExpectedBytes<PoolOperator>(c));
}

INSTANTIATE_TEST_SUITE_P(All, PoolMemoryObjects, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
