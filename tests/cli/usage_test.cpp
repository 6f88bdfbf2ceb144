// Help, version, and options that make no sense.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "roipool/kernels.h"
#include "run_program.h"

namespace roipool::test {
namespace {

using ::testing::HasSubstr;

TEST(Usage, Version) {
  const ProgramRun run = RunProgram({"--version"});
  EXPECT_TRUE(IsDone(run));
  EXPECT_EQ(run.output, std::string("roipool ") + Version() + "\n");
}

TEST(Usage, HelpNamesEveryCommand) {
  const ProgramRun run = RunProgram({"--help"});
  EXPECT_TRUE(IsDone(run));
  for (const char* command : {"demo", "grad", "pool", "targets", "tune"}) EXPECT_THAT(run.output, HasSubstr(command));
}

TEST(Usage, EveryCommandHasHelpWithAnExample) {
  for (const std::string command : {"demo", "grad", "pool", "targets", "tune"}) {
    for (const std::string help : {"--help", "-h"}) {
      const ProgramRun run = RunProgram({command, help});
      EXPECT_TRUE(IsDone(run));
      EXPECT_THAT(run.output, HasSubstr("Example")) << command;
      EXPECT_THAT(run.output, HasSubstr("\n  roipool " + command + " --")) << command;
    }
  }
}

TEST(Usage, HelpFitsOnATerminal) {
  for (const std::string command : {"demo", "grad", "pool", "targets", "tune"}) {
    const std::string text = RunProgram({command, "--help"}).output;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LE(end - begin, 102u) << text.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Usage, NeedsACommand) {
  EXPECT_TRUE(IsRefused(RunProgram({}), "roipool: ", "see roipool --help"));
  EXPECT_TRUE(IsRefused(RunProgram({"pol"}), "roipool: ", "'pol' is not a command"));
}

TEST(Usage, RefusesBadOptions) {
  EXPECT_TRUE(IsRefused(RunProgram({"grad"}), "roipool grad: ", "--grad-output is required"));
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--typo", "f32"}), "roipool targets: ", "--typo"));
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--type", "f8"}), "roipool targets: ", "f8 not in {f32,f16,bf16,f64}"));
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--max-isa", "sse"}), "roipool targets: ", "--max-isa"));
  EXPECT_TRUE(IsRefused(RunProgram({"demo", "--threads", "257"}), "roipool demo: ", "--threads"));
  EXPECT_TRUE(IsRefused(RunProgram({"demo", "--threads", "two"}), "roipool demo: ", "--threads"));
}

TEST(Usage, SaysSoIfNobodyTakesItsOutput) {
  EXPECT_TRUE(IsRefused(RunProgramInto("/dev/full", {"targets"}), "roipool targets: ", "standard output"));
  EXPECT_TRUE(IsRefused(RunProgramInto("/dev/full", {"--help"}), "roipool: ", "standard output"));
}

}  // namespace
}  // namespace roipool::test
