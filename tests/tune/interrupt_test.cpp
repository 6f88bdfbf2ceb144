// The first Ctrl-C sets a flag, the second one ends the program.
#include "interrupt.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace roipool::cli {
namespace {

TEST(InterruptDeathTest, TheSecondSignalEndsTheProgram) {
  const auto raise_twice = [] {
    const InterruptScope scope;
    if (IsInterrupted()) std::exit(1);
    std::raise(SIGINT);
    if (!IsInterrupted()) std::exit(2);
    std::raise(SIGINT);
    std::exit(3);
  };
  EXPECT_EXIT(raise_twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, EveryScopeBeginsAnew) {
  for (int i = 0; i < 2; ++i) {
    const InterruptScope scope;
    EXPECT_FALSE(IsInterrupted());
    std::raise(SIGTERM);
    EXPECT_TRUE(IsInterrupted());
  }
}

}  // namespace
}  // namespace roipool::cli
