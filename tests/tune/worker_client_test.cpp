// The worker's client beside workers that answer with lies and errors, and the worker itself on shapes that it must refuse.
#include "worker_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "interrupt.h"
#include "kernel_rows.h"
#include "temporary_folder.h"

namespace roipool::cli {
namespace {

using ::testing::HasSubstr;

Problem MakeProblem() {
  return {Operator::kRoiPoolGrad, DataType::kFloat32, Isa::kBaseline, 1, "tiny", {{"a", 1, 8, 12, 14, 20, 7, 7}}};
}

class WorkerClientTest : public testing::Test {
 protected:
  // A worker whose answers are the shell's: `answer` sees the request in $line and what was there before in $folder.
  WorkerClient MakeClient(const std::string& answer) const {
    const std::string path = folder_.File("worker");
    std::ofstream(path) << "#!/bin/sh\nfolder=" << folder_.path().string() << "\nwhile read -r line; do case $line in\n"
                        << "*'\"do\":\"problem\"'*) echo '{\"ok\":true}' ;;\n"
                        << answer << "\n*) echo '{\"ok\":true,\"seconds\":[[[1]]]}' ;;\nesac; done\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return {path, folder_.File("log"), MakeProblem(), 10, [this] { return is_stopped_(); }};
  }
  test::TemporaryFolder folder_;
  int id_ = -1;
  std::function<bool()> is_stopped_ = [] { return false; };
};

TEST_F(WorkerClientTest, AnErrorWhileLoadingIsTheCandidatesProblem) {
  WorkerClient client = MakeClient(R"(*'"do":"load"'*) echo '{"ok":false,"error":"no such schedule"}' ;;)");
  EXPECT_EQ(client.Load({"bad", {}}, {}, &id_), "fails: no such schedule");
}

TEST_F(WorkerClientTest, AnErrorWhileTimingIsTheCandidatesProblem) {
  WorkerClient client = MakeClient(R"(*'"do":"time"'*) echo '{"ok":false,"error":"bad argmax"}' ;;)");
  ASSERT_EQ(client.Load({"bad", {}}, {}, &id_), "");
  const Timing timing = client.Time({id_}, 3);
  EXPECT_FALSE(timing.seconds);
  EXPECT_EQ(timing.problem, "fails: bad argmax");
}

TEST_F(WorkerClientTest, WhatIsNoAnswerIsTheCandidatesProblem) {
  WorkerClient client = MakeClient(R"(*'"do":"load"'*) echo 'hello from a kernel' ;;)");
  EXPECT_THAT(client.Load({"bad", {}}, {}, &id_), HasSubstr("writes to the worker's output"));
}

// The worker crashes when it is asked for times; the one that comes after it finds other bits.
TEST_F(WorkerClientTest, ACandidateIsRejectedIfItCannotBeLoadedOnceMore) {
  WorkerClient client = MakeClient(R"(*'"do":"time"'*) touch $folder/crashed; exit 3 ;;
*'"do":"load"'*) if [ -e $folder/crashed ]; then echo '{"ok":false,"problem":"other bits"}'; else echo '{"ok":true}'; fi ;;)");
  ASSERT_EQ(client.Load({"bad", {}}, {}, &id_), "");
  EXPECT_EQ(client.Time({id_}, 3).problem, "ends with status 3");
  EXPECT_EQ(client.Time({id_}, 3).problem, "other bits");
  EXPECT_EQ(client.Time({id_}, 3).problem, "other bits") << "a rejected one stays out";
}

TEST_F(WorkerClientTest, AnInterruptEndsTheWaitAndALaterCallHasANewWorker) {
  WorkerClient client = MakeClient(R"(*'"do":"time"'*) if [ ! -e $folder/slept ]; then touch $folder/slept; sleep 20; fi
echo '{"ok":true,"seconds":[[[2]]]}' ;;)");
  ASSERT_EQ(client.Load({"good", {}}, {}, &id_), "");
  const auto begin = ChildProcess::Clock::now();
  is_stopped_ = [this] { return std::filesystem::exists(folder_.File("slept")); };
  EXPECT_THROW(client.Time({id_}, 1), Interrupted);
  EXPECT_LT(ChildProcess::Clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THROW(client.Load({"good", {}}, {}, &id_), Interrupted) << "it stays stopped";
  is_stopped_ = [] { return false; };
  EXPECT_TRUE(client.Time({0}, 1).seconds);
}

TEST_F(WorkerClientTest, TheWorkerRefusesSchedulesThatCannotTakeATimedShape) {
  if (!test::HasDefaultSchedules()) GTEST_SKIP() << "about the limit of cpu_channel_blocks";
  const std::string library = folder_.File("kernel.so");
  std::ofstream(folder_.File("kernel.c")) << "int kernel(void) { return 0; }\n";
  ASSERT_EQ(std::system(("cc -shared -fPIC -o " + library + " " + folder_.File("kernel.c")).c_str()), 0);
  Problem problem = MakeProblem();
  problem.shapes.push_back({"long", 1, 8, 50, 50, 2, 40, 40});
  const auto never = [] { return false; };
  WorkerClient client(ROIPOOL_WORKER, folder_.File("log"), problem, 10, never);
  const CompiledKernel kernel = {library, "kernel", ""};
  EXPECT_THAT(client.Load({"cpu_channel_blocks", {}}, kernel, &id_, /*checks_edges=*/false), HasSubstr("other bits"));
  problem.shapes.erase(problem.shapes.begin());
  WorkerClient of_long_rows(ROIPOOL_WORKER, folder_.File("log"), problem, 10, never);
  EXPECT_THAT(of_long_rows.Load({"cpu_channel_blocks", {}}, kernel, &id_, /*checks_edges=*/false),
              HasSubstr("takes at most 960 bins per roi"));
  EXPECT_THAT(of_long_rows.Load({"no_such_schedule", {}}, kernel, &id_, /*checks_edges=*/false),
              HasSubstr("no kernel of schedule no_such_schedule"));
  // What did not pass its checks is not there to be timed.
  EXPECT_FALSE(of_long_rows.Time({id_}, 1).seconds);
}

}  // namespace
}  // namespace roipool::cli
