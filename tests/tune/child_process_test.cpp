// Programs that say nothing, say too much, or are gone: none of them holds the tuner up.
#include "child_process.h"

#include <gtest/gtest.h>

#include <csignal>

#include "temporary_folder.h"

namespace roipool::cli {
namespace {

using Clock = ChildProcess::Clock;

bool IsNever() { return false; }

class ChildProcessTest : public testing::Test {
 protected:
  std::string Log() const { return folder_.File("log"); }
  test::TemporaryFolder folder_;
};

TEST_F(ChildProcessTest, SaysWhatItHears) {
  ChildProcess child({"cat"}, Log());
  ASSERT_TRUE(child.WriteLine("one"));
  ASSERT_TRUE(child.WriteLine("two"));
  EXPECT_EQ(child.ReadLine(Clock::now() + std::chrono::minutes(1), IsNever), "one");
  EXPECT_EQ(child.ReadLine(Clock::now() + std::chrono::minutes(1), IsNever), "two");
}

TEST_F(ChildProcessTest, TimesOutWhileTheProgramChats) {
  ChildProcess child({"cat", "/dev/zero"}, Log());
  const auto deadline = Clock::now() + std::chrono::milliseconds(100);
  EXPECT_EQ(child.ReadLine(deadline, IsNever), std::nullopt);
  EXPECT_GE(Clock::now(), deadline);
}

TEST_F(ChildProcessTest, StopsReadingWhenItIsAsked) {
  ChildProcess child({"cat"}, Log());
  int asked = 0;
  const auto deadline = Clock::now() + std::chrono::hours(1);
  EXPECT_EQ(child.ReadLine(deadline, [&] { return ++asked == 3; }), std::nullopt);
  EXPECT_LT(Clock::now(), deadline - std::chrono::minutes(59));
}

// With SIGCHLD ignored the system keeps no status.
TEST_F(ChildProcessTest, AProgramWithoutAStatusHasEnded) {
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  ChildProcess child({"true"}, Log());
  EXPECT_EQ(child.Wait(Clock::now() + std::chrono::seconds(20)), ChildProcess::kUnknownStatus);
  sigaction(SIGCHLD, &before, nullptr);
}

}  // namespace
}  // namespace roipool::cli
