// Other buffers for an executor that has been planned.
#include "operators.h"

namespace roipool::test {
namespace {

template <typename Op>
class SetDataOf : public testing::Test {};
TYPED_TEST_SUITE(SetDataOf, Operators, OperatorNames);

TYPED_TEST(SetDataOf, NextRunUsesTheNewBuffers) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem first{Case()}, second(Case().Seed(2));
  Options options;
  options.repeatable = true;
  Call<TypeParam> call(first.args(), options);
  ASSERT_OK(call.Run());
  const std::vector<std::byte> first_results = ResultBytes<TypeParam>(first);
  ASSERT_OK(TypeParam::SetData(call.executor.get(), second.args()));
  ASSERT_OK(call.Run());
  EXPECT_EQ(ResultBytes<TypeParam>(second), ExpectedBytes<TypeParam>(Case().Seed(2)));
  EXPECT_EQ(ResultBytes<TypeParam>(first), first_results);
}

TYPED_TEST(SetDataOf, PlansMayBeMadeBeforeThereIsMemory) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem problem{Case()};
  auto args = problem.args();
  TypeParam::ClearPointers(args);
  Call<TypeParam> call(args);
  EXPECT_FAILS(call.Run(), StatusCode::kNullArgument, ".data is null");
  ASSERT_OK(TypeParam::SetData(call.executor.get(), problem.args()));
  EXPECT_OK(call.Run());
  EXPECT_EQ(ResultBytes<TypeParam>(problem), ExpectedBytes<TypeParam>(Case()));
}

TYPED_TEST(SetDataOf, BadPointersLeaveTheOldOnes) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem problem{Case()}, other(Case().Seed(2));
  Call<TypeParam> call(problem.args());
  auto args = other.args();
  args.rois.data = nullptr;
  EXPECT_FAILS(TypeParam::SetData(call.executor.get(), args), StatusCode::kNullArgument, "rois.data is null");
  args = other.args();
  args.rois.data = static_cast<const std::byte*>(args.rois.data) + 1;
  EXPECT_FAILS(TypeParam::SetData(call.executor.get(), args), StatusCode::kInvalidArgument, "rois.data is 0x", "multiple of");
  args = other.args();
  args.rois.data = args.argmax.data;
  if constexpr (std::is_same_v<TypeParam, PoolOperator>) {
    EXPECT_FAILS(TypeParam::SetData(call.executor.get(), args), StatusCode::kOverlap, "argmax.data is", "overlaps rois.data");
  } else {
    args.grad_input.data = const_cast<void*>(args.argmax.data);
    EXPECT_FAILS(TypeParam::SetData(call.executor.get(), args), StatusCode::kOverlap, "grad_input.data is",
                 "overlaps argmax.data");
  }
  EXPECT_OK(call.Run());
  EXPECT_EQ(ResultBytes<TypeParam>(problem), ExpectedBytes<TypeParam>(Case()));
}

TYPED_TEST(SetDataOf, ConsumedExecutorsRefuse) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  Call<TypeParam> call(problem.args());
  ASSERT_OK(call.Run());
  EXPECT_FAILS(TypeParam::SetData(call.executor.get(), problem.args()), StatusCode::kInvalidState, "has run already");
}

}  // namespace
}  // namespace roipool::test
