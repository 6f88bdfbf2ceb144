// What phase 2 asks of a workspace, and that it stays inside it.
#include <cstring>

#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

template <typename Op>
class WorkspaceOf : public testing::Test {};
TYPED_TEST_SUITE(WorkspaceOf, Operators, OperatorNames);

TYPED_TEST(WorkspaceOf, MustBeSetLargeEnoughAndAligned) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem problem{Case()};
  Call<TypeParam> call(problem.args());
  const std::vector<std::byte> before = ResultBytes<TypeParam>(problem);
  const GuardedBuffer larger = MakeWorkspace(call.size + kWorkspaceAlignment);
  Executor* executor = call.executor.get();
  EXPECT_FAILS(TypeParam::Phase2(nullptr, call.size, executor), StatusCode::kInvalidWorkspace, "workspace is null",
               std::to_string(call.size));
  EXPECT_FAILS(TypeParam::Phase2(larger.data(), call.size - 1, executor), StatusCode::kInvalidWorkspace,
               "workspace_size is " + std::to_string(call.size - 1), "needs " + std::to_string(call.size));
  EXPECT_FAILS(TypeParam::Phase2(larger.data(), 0, executor), StatusCode::kInvalidWorkspace, "workspace_size is 0");
  for (const int offset : {1, 8, 32}) {
    EXPECT_FAILS(TypeParam::Phase2(larger.data() + offset, call.size, executor), StatusCode::kInvalidWorkspace,
                 "workspace is 0x", "multiple of 64");
  }
  EXPECT_EQ(ResultBytes<TypeParam>(problem), before) << "nothing may be written before the checks";
  EXPECT_OK(call.Run()) << "failed checks leave the executor planned; the exact size suffices";
  EXPECT_EQ(ResultBytes<TypeParam>(problem), ExpectedBytes<TypeParam>(Case()));
}

TYPED_TEST(WorkspaceOf, SizeIsAMultipleOfTheAlignment) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  EXPECT_EQ(Call<TypeParam>(problem.args()).size % kWorkspaceAlignment, 0u);
}

TYPED_TEST(WorkspaceOf, MayBeLargerThanNeeded) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem problem{Case()};
  Call<TypeParam> call(problem.args());
  const GuardedBuffer larger = MakeWorkspace(call.size + 4096);
  EXPECT_OK(TypeParam::Phase2(larger.data(), call.size + 4096, call.executor.get()));
  for (uint64_t i = call.size; i < call.size + 4096; ++i) ASSERT_EQ(larger.data()[i], std::byte{0xff}) << i;
}

TYPED_TEST(WorkspaceOf, MayNotOverlapATensor) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  auto args = problem.args();
  const std::vector<const void*> pointers = TypeParam::Pointers(args);
  Call<TypeParam> call(args);
  for (const void* pointer : pointers) {
    // The last aligned place at or before the tensor.
    const auto address = reinterpret_cast<uintptr_t>(pointer) / kWorkspaceAlignment * kWorkspaceAlignment;
    EXPECT_FAILS(TypeParam::Phase2(reinterpret_cast<void*>(address), call.size, call.executor.get()), StatusCode::kOverlap,
                 "workspace is", "overlaps", ".data");
  }
  EXPECT_OK(call.Run());
}

TYPED_TEST(WorkspaceOf, IsNotNeededForNothing) {
  typename TypeParam::Problem problem(typename TypeParam::Case().Rois(0));
  uint64_t size = 1;
  ExecutorPtr executor;
  ASSERT_OK(TypeParam::Phase1(problem.args(), {}, &size, &executor));
  EXPECT_EQ(size, 0u);
  EXPECT_STREQ(KernelName(*executor), "none");
  EXPECT_OK(TypeParam::Phase2(nullptr, 0, executor.get()));
}

// Poisoned before, guarded around, fenced at either end, for every combination of copies.
TEST(Workspace, IsWrittenInsideItsBoundsAndReadOnlyWhereWritten) {
  for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
    for (const Strides strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kNegative}) {
      for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64}) {
        const GradCase c =
            GradCase().GradOutputStrides(strides).GradInputStrides(strides).ArgmaxStrides(strides).ArgmaxType(argmax_type);
        SCOPED_TRACE(c.Describe());
        std::vector<std::byte> results[2];
        for (const int poison : {0x00, 0xff}) {
          GradProblem problem(c);
          uint64_t size = 0;
          ExecutorPtr executor;
          ASSERT_OK(RoiPoolGradGetWorkspaceSize(problem.args(), {}, &size, &executor));
          const GuardedBuffer workspace = MakeWorkspace(size, fence);
          std::memset(workspace.data(), poison, size);
          EXPECT_OK(RoiPoolGrad(workspace.data(), size, executor.get()));
          EXPECT_EQ(workspace.FindDamage(), "");
          results[poison != 0] = problem.grad_input.Bytes();
        }
        EXPECT_EQ(results[0], results[1]) << "what the workspace held before may not matter";
      }
    }
  }
}

}  // namespace
}  // namespace roipool::test
