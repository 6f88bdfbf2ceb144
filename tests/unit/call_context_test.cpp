// What one call shares with no other: its threads and its error.
#include "call_context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "HalideRuntime.h"

namespace roipool::internal {
namespace {

// How often each task ran, and how many ran at once.
struct Watch {
  explicit Watch(int tasks) : runs(static_cast<size_t>(tasks)) {}

  std::vector<std::atomic<int>> runs;
  std::atomic<int> active = 0, most_active = 0;
  int wait_for = 1;  ///< Tasks wait, at most some seconds, until so many are active.
  int failing_task = -1;

  static int Run(void*, int task, uint8_t* closure) {
    auto& watch = *reinterpret_cast<Watch*>(closure);
    ++watch.runs.at(static_cast<size_t>(task));
    const int active = ++watch.active;
    for (int most = watch.most_active; active > most && !watch.most_active.compare_exchange_weak(most, active);) {
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (watch.most_active < watch.wait_for && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --watch.active;
    return task == watch.failing_task ? -7 : 0;
  }
};

int RunLoop(CallContext& context, Watch& watch) {
  return halide_do_par_for(&context, Watch::Run, 0, static_cast<int>(watch.runs.size()), reinterpret_cast<uint8_t*>(&watch));
}

TEST(CallContext, UsesAsManyThreadsAsAskedForAndNoMore) {
  for (const int32_t threads : {1, 2, 5, 3, 1}) {
    CallContext context(threads);
    Watch watch(60);
    watch.wait_for = threads;
    EXPECT_EQ(RunLoop(context, watch), 0);
    EXPECT_EQ(watch.most_active, threads);
    for (const std::atomic<int>& runs : watch.runs) EXPECT_EQ(runs, 1);
  }
}

TEST(CallContext, LimitsHoldForCallsSideBySide) {
  std::vector<std::thread> callers;
  for (const int32_t threads : {1, 2, 3, 4}) {
    callers.emplace_back([threads] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        CallContext context(threads);
        Watch watch(30);
        EXPECT_EQ(RunLoop(context, watch), 0);
        EXPECT_LE(watch.most_active, threads);
        for (const std::atomic<int>& runs : watch.runs) EXPECT_EQ(runs, 1);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CallContext, AFailedTaskEndsTheLoop) {
  for (const int32_t threads : {1, 3}) {
    CallContext context(threads);
    Watch watch(200);
    watch.failing_task = 4;
    EXPECT_EQ(RunLoop(context, watch), -7);
    const auto ran =
        std::count_if(watch.runs.begin(), watch.runs.end(), [](const std::atomic<int>& runs) { return runs != 0; });
    EXPECT_LT(ran, 100) << "later tasks should not start";
  }
}

TEST(CallContext, TasksRunOnceAndNoTwoOfAWorkerAtATime) {
  struct Work {
    std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(500);
    std::vector<std::atomic<bool>> is_busy = std::vector<std::atomic<bool>>(4);
    std::atomic<int> clashes = 0;
  };
  constexpr auto kRun = [](CallContext& context, int32_t index, int32_t worker, const void* closure) noexcept {
    auto& work = *static_cast<Work*>(const_cast<void*>(closure));
    if (worker < 0 || worker >= context.threads()) return -1;
    auto& is_busy = work.is_busy[static_cast<size_t>(worker)];
    work.clashes += is_busy.exchange(true) ? 1 : 0;
    ++work.runs[static_cast<size_t>(index)];
    std::this_thread::yield();
    is_busy = false;
    return 0;
  };
  for (const int32_t threads : {1, 2, 4}) {
    CallContext context(threads);
    Work work;
    EXPECT_EQ(RunTasks(context, static_cast<int32_t>(work.runs.size()), kRun, &work), 0);
    EXPECT_EQ(work.clashes, 0);
    for (const std::atomic<int>& runs : work.runs) EXPECT_EQ(runs, 1);
  }
}

TEST(CallContext, AFailedTaskEndsTheCall) {
  for (const int32_t threads : {1, 3}) {
    CallContext context(threads);
    std::atomic<int> runs = 0;
    constexpr auto kRun = [](CallContext&, int32_t index, int32_t, const void* closure) noexcept {
      ++*static_cast<std::atomic<int>*>(const_cast<void*>(closure));
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      return index == 4 ? -7 : 0;
    };
    EXPECT_EQ(RunTasks(context, 200, kRun, &runs), -7);
    EXPECT_LT(runs, 100) << "later tasks should not start";
  }
}

TEST(CallContext, KeepsTheFirstError) {
  CallContext context(1);
  EXPECT_STREQ(context.error(), "");
  context.KeepError("first");
  context.KeepError("second");
  EXPECT_STREQ(context.error(), "first");
}

TEST(CallContext, CutsLongErrors) {
  CallContext context(1);
  context.KeepError(std::string(2 * Status::kMaxMessage, 'x').c_str());
  EXPECT_EQ(context.error(), std::string(Status::kMaxMessage, 'x'));
}

TEST(CallContext, ErrorsOfCallsSideBySideStayApart) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([caller] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        CallContext context(2);
        const std::string text = "caller " + std::to_string(caller) + ", repeat " + std::to_string(repeat);
        halide_error(&context, text.c_str());
        EXPECT_EQ(context.error(), text);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CallContext, OneOfManyErrorsAtOnceIsKeptWhole) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    CallContext context(4);
    std::vector<std::thread> workers;
    for (const char letter : {'a', 'b', 'c', 'd'}) {
      workers.emplace_back([&context, letter] { context.KeepError(std::string(300, letter).c_str()); });
    }
    for (std::thread& worker : workers) worker.join();
    const std::string error = context.error();
    ASSERT_EQ(error.size(), 300u);
    EXPECT_EQ(error, std::string(300, error.front()));
  }
}

// Every worker looks once beyond the last task, whose number may be the largest that there is.
TEST(CallContext, TaskNumbersEndAtTheLargest) {
  constexpr int kFirst = std::numeric_limits<int>::max() - 8;
  static std::atomic<int> runs, others;
  runs = others = 0;
  const auto count = [](void*, int task, uint8_t*) {
    ++(task >= kFirst ? runs : others);
    return task >= kFirst ? 0 : -1;  // An error ends the loop.
  };
  CallContext context(4);
  EXPECT_EQ(halide_do_par_for(&context, count, kFirst, 8, nullptr), 0);
  EXPECT_EQ(runs, 8);
  EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace roipool::internal
