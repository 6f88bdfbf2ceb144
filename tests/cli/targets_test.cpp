// `roipool targets`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "roipool/kernels.h"
#include "run_program.h"

namespace roipool::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Targets, ListsEveryKernelWithAReasonInItsColumn) {
  const ProgramRun run = RunProgram({"targets"});
  ASSERT_TRUE(IsDone(run));
  const std::vector<std::string> lines = Lines(run.output);
  ASSERT_EQ(lines.size(), static_cast<size_t>(KernelCount()) + 1);
  EXPECT_THAT(lines[0], HasSubstr(IsaName(DetectIsa())));
  const size_t reason_column = lines[1].find_first_not_of(' ', lines[1].find(' ', 3));
  for (int64_t index = 0; index < KernelCount(); ++index) {
    KernelExplanation kernel;
    ASSERT_TRUE(ExplainKernel(index, Options(), &kernel).ok());
    const std::string& line = lines[static_cast<size_t>(index) + 1];
    EXPECT_THAT(line, StartsWith(std::string(kernel.chosen ? "-> " : "   ") + kernel.name + " "));
    EXPECT_EQ(line.substr(reason_column), kernel.reason);
  }
}

TEST(Targets, MarksOneKernelForEachOperatorAndType) {
  for (const std::string op : {"roi_pool_grad", "roi_pool"}) {
    for (const std::string type : {"f32", "f16", "bf16", "f64"}) {
      const ProgramRun run =
          RunProgram({"targets", "--op", op, "--type", type, "--max-isa", "baseline", "--schedule", "reference"});
      ASSERT_TRUE(IsDone(run));
      const std::vector<std::string> lines = Lines(run.output);
      const auto marked = [](const std::string& line) { return line.rfind("->", 0) == 0; };
      ASSERT_EQ(std::count_if(lines.begin(), lines.end(), marked), 1) << run.output;
      EXPECT_THAT(*std::find_if(lines.begin(), lines.end(), marked),
                  StartsWith("-> " + op + "_" + type + "_reference_baseline "));
    }
  }
}

TEST(Targets, ObeysTheEnvironment) {
  const ProgramRun run = RunProgram({"targets", "--op", "roi_pool_grad", "--type", "f32"}, {"ROIPOOL_MAX_ISA=baseline"});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("-> roi_pool_grad_f32_cpu_channel_blocks_baseline"));
  EXPECT_TRUE(IsRefused(RunProgram({"targets"}, {"ROIPOOL_MAX_ISA=sse9"}), "roipool targets: ", "sse9"));
}

TEST(Targets, SaysSoIfNothingFits) {
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--schedule", "none_such"}), "roipool targets: ", "no kernel"));
}

}  // namespace
}  // namespace roipool::test
