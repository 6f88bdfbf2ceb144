// Normal use of both phases, and the executor's states.
#include <thread>

#include "compare.h"
#include "kernel_rows.h"
#include "operators.h"
#include "reference.h"

namespace roipool::test {
namespace {

template <typename Op>
class TwoPhase : public testing::Test {};
TYPED_TEST_SUITE(TwoPhase, Operators, OperatorNames);

Options Repeatable() {
  Options options;
  options.repeatable = true;
  return options;
}

TYPED_TEST(TwoPhase, RunsOnceByDefault) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  Call<TypeParam> call(problem.args());
  ASSERT_OK(call.Run());
  const std::vector<std::byte> first = ResultBytes<TypeParam>(problem);
  EXPECT_FAILS(call.Run(), StatusCode::kInvalidState, TypeParam::kName, "executor has run already", "repeatable");
  EXPECT_EQ(ResultBytes<TypeParam>(problem), first);
}

TYPED_TEST(TwoPhase, RepeatsOnNewDataWhenAsked) {
  using Case = typename TypeParam::Case;
  typename TypeParam::Problem problem{Case()};
  Call<TypeParam> call(problem.args(), Repeatable());
  for (uint64_t seed : {1, 2, 3}) {
    typename TypeParam::Problem other(Case().Seed(seed));
    const auto from = TypeParam::Tensors(other), to = TypeParam::Tensors(problem);
    for (size_t t = 0; t < from.size(); ++t) {
      for (int64_t i = 0; i < from[t]->count(); ++i) to[t]->SetBits(i, from[t]->Bits(i));
    }
    ASSERT_OK(call.Run());
    EXPECT_EQ(ResultBytes<TypeParam>(problem), ExpectedBytes<TypeParam>(Case().Seed(seed)));
  }
}

// Addresses that end the program when somebody looks behind them.
TYPED_TEST(TwoPhase, Phase1ReadsNoData) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  auto args = problem.args();
  const std::vector<const void*> pointers = TypeParam::Pointers(args);
  uint64_t size = 0;
  ExecutorPtr executor;
  for (Tensor* tensor : TypeParam::Tensors(problem)) tensor->MakeReadOnly();
  EXPECT_OK(TypeParam::Phase1(args, {}, &size, &executor));
  TypeParam::ClearPointers(args);
  EXPECT_OK(TypeParam::Phase1(args, {}, &size, &executor));
  EXPECT_FAILS(TypeParam::Phase2(MakeWorkspace(size).data(), size, executor.get()), StatusCode::kNullArgument, ".data is null");
}

TYPED_TEST(TwoPhase, FailedPhase1LeavesNothing) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  auto args = problem.args();
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(TypeParam::Phase1(args, {}, &size, &executor));
  ASSERT_NE(executor, nullptr);
  ASSERT_GT(size, 0u);
  args.rois.rank = 3;
  EXPECT_FAILS(TypeParam::Phase1(args, {}, &size, &executor), StatusCode::kInvalidArgument, "rois.rank is 3");
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(size, 0u);
}

TYPED_TEST(TwoPhase, Phase1NeedsBothResults) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  uint64_t size = 1;
  ExecutorPtr executor;
  EXPECT_FAILS(TypeParam::Phase1(problem.args(), {}, nullptr, &executor), StatusCode::kNullArgument,
               "GetWorkspaceSize: workspace_size is null");
  EXPECT_EQ(executor, nullptr);
  EXPECT_FAILS(TypeParam::Phase1(problem.args(), {}, &size, nullptr), StatusCode::kNullArgument,
               "GetWorkspaceSize: executor is null");
  EXPECT_EQ(size, 0u);
}

TYPED_TEST(TwoPhase, Phase2NeedsAnExecutor) {
  EXPECT_FAILS(TypeParam::Phase2(nullptr, 0, nullptr), StatusCode::kNullArgument, "executor is null");
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  EXPECT_FAILS(TypeParam::SetData(nullptr, problem.args()), StatusCode::kNullArgument, "executor is null");
}

TEST(TwoPhaseStates, ExecutorsOfAnotherOperatorAreRefused) {
  GradProblem grad{GradCase()};
  PoolProblem pool{PoolCase()};
  Call<GradOperator> grad_call(grad.args());
  Call<PoolOperator> pool_call(pool.args());
  EXPECT_FAILS(RoiPool(grad_call.workspace->data(), grad_call.size, grad_call.executor.get()), StatusCode::kInvalidState,
               "executor belongs to another operator");
  EXPECT_FAILS(RoiPoolGrad(pool_call.workspace->data(), pool_call.size, pool_call.executor.get()), StatusCode::kInvalidState,
               "executor belongs to another operator");
  EXPECT_FAILS(SetRoiPoolData(grad_call.executor.get(), nullptr, nullptr, nullptr, nullptr), StatusCode::kInvalidState,
               "another operator");
  EXPECT_OK(grad_call.Run()) << "a refused call leaves the executor as it was";
  EXPECT_OK(pool_call.Run());
}

TEST(TwoPhaseStates, BadContentsCountAsARun) {
  GradProblem problem{GradCase()};
  const double image = problem.rois.Number(0);
  for (const bool repeatable : {false, true}) {
    Options options;
    options.repeatable = repeatable;
    Call<GradOperator> call(problem.args(), options);
    problem.rois.SetNumber(0, 9);
    EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, "rois[0, 0] is 9");
    problem.rois.SetNumber(0, image);
    EXPECT_EQ(call.Run().code(), repeatable ? StatusCode::kOk : StatusCode::kInvalidState);
  }
  EXPECT_TRUE(SameBits(ReferenceGrad(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape()),
                       problem.grad_input));
}

TEST(TwoPhaseStates, OneExecutorRunsInOneThreadAtATime) {
  GradProblem problem(GradCase().Rois(200).Channels(64).Pooled(7, 7));
  Call<GradOperator> call(problem.args(), Repeatable());
  GuardedBuffer other_workspace = MakeWorkspace(call.size);
  std::atomic<bool> refused = false;
  std::atomic<int> ran = 0;
  const auto run_until_refused = [&](void* workspace) {
    for (int i = 0; i < 20000 && !refused; ++i) {
      const Status status = RoiPoolGrad(workspace, call.size, call.executor.get());
      if (status.ok()) {
        ++ran;
      } else {
        EXPECT_FAILS(status, StatusCode::kInvalidState, "executor is running in another thread");
        refused = true;
      }
    }
  };
  std::thread other(run_until_refused, other_workspace.data());
  run_until_refused(call.workspace->data());
  other.join();
  EXPECT_TRUE(refused);
  EXPECT_OK(call.Run());
  EXPECT_TRUE(SameBits(ReferenceGrad(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape()),
                       problem.grad_input));
}

TEST(TwoPhaseStates, ExecutorTellsItsKernelAndThreads) {
  GradProblem problem{GradCase()};
  Options options;
  options.threads = 3;
  options.schedule = "reference";
  options.max_isa = Isa::kBaseline;
  const Call<GradOperator> call(problem.args(), options);
  EXPECT_STREQ(KernelName(*call.executor), "roi_pool_grad_f32_reference_baseline");
  EXPECT_EQ(ThreadCount(*call.executor), 3);
}

// The schedule's name need not outlive phase 1.
TEST(TwoPhaseStates, OptionsAreReadInPhase1Only) {
  GradProblem problem{GradCase()};
  char schedule[] = "reference";
  Options options;
  options.schedule = schedule;
  Call<GradOperator> call(problem.args(), options);
  std::fill_n(schedule, 9, 'x');
  EXPECT_OK(call.Run());
}

}  // namespace
}  // namespace roipool::test
