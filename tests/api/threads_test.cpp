// Any number of threads may run different executors at once.
#include <thread>

#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

constexpr int kCallers = 6;

template <typename Body>
void InManyThreads(const Body& body) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller) callers.emplace_back([&body, caller] { body(caller); });
  for (std::thread& caller : callers) caller.join();
}

Options WithThreads(int32_t threads) {
  Options options;
  options.threads = threads;
  return options;
}

TEST(Threads, ExecutorsSideBySideGiveTheSameBits) {
  const GradCase grad_case = GradCase().Rois(100).Channels(20).Pooled(7, 7).Map(20, 21);
  const PoolCase pool_case = PoolCase().Rois(40).Channels(20);
  const std::vector<std::byte> grad_bytes = ExpectedBytes<GradOperator>(grad_case),
                               pool_bytes = ExpectedBytes<PoolOperator>(pool_case);
  InManyThreads([&](int caller) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Options options = WithThreads(1 + (caller + repeat) % 5);
      GradProblem grad(grad_case);
      EXPECT_OK(Call<GradOperator>(grad.args(), options).Run());
      EXPECT_TRUE(grad.grad_input.Bytes() == grad_bytes);
      PoolProblem pool(pool_case);
      EXPECT_OK(Call<PoolOperator>(pool.args(), options).Run());
      EXPECT_TRUE(ResultBytes<PoolOperator>(pool) == pool_bytes);
    }
  });
}

TEST(Threads, InputsMayBeShared) {
  const GradCase c = GradCase().Rois(100).Channels(20);
  const std::vector<std::byte> expected = ExpectedBytes<GradOperator>(c);
  GradProblem shared(c);
  InManyThreads([&](int caller) {
    Tensor grad_input(c.type, shared.grad_input.shape());
    RoiPoolGradArgs args = shared.args();
    args.grad_input = grad_input.mutable_view();
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT_OK(Call<GradOperator>(args, WithThreads(1 + caller)).Run());
    EXPECT_TRUE(grad_input.Bytes() == expected);
  });
}

// Good calls and bad ones at once: each gets its own answer.
TEST(Threads, EveryCallGetsItsOwnError) {
  InManyThreads([&](int caller) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      GradProblem problem(GradCase().Channels(9).Rois(20));
      const int64_t bad = 10 + caller;
      if (caller != 0) problem.argmax.SetNumber(bad, 100 + caller);
      const Status status = Call<GradOperator>(problem.args(), WithThreads(2)).Run();
      if (caller == 0) {
        EXPECT_OK(status);
      } else {
        EXPECT_FAILS(status, StatusCode::kOutOfRange,
                     "argmax" + problem.argmax.CoordinatesOf(bad) + " is " + std::to_string(100 + caller) + ",");
      }
    }
  });
}

}  // namespace
}  // namespace roipool::test
