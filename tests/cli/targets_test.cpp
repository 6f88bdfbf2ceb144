// `roipool targets`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernel_rows.h"
#include "roipool/kernels.h"
#include "run_program.h"
#include "temporary_folder.h"

namespace roipool::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
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
  EXPECT_THAT(run.output, HasSubstr("-> roi_pool_grad_f32_" + SchedulesOf(Operator::kRoiPoolGrad).front() + "_baseline"));
  EXPECT_TRUE(IsRefused(RunProgram({"targets"}, {"ROIPOOL_MAX_ISA=sse9"}), "roipool targets: ", "sse9"));
}

TEST(Targets, TellsWhatACallOfAShapeUses) {
  const ProgramRun run = RunProgram({"targets", "--op", "roi_pool_grad", "--type", "f32", "--shape", "2,256,50,68,1024,7,7"});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, StartsWith("-> roi_pool_grad_f32_"));
  EXPECT_THAT(run.output, HasSubstr("\n   many_rois: channel_block="));
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--shape", "2,256"}), "roipool targets: ", "--shape is '2,256'"));
}

TEST(Targets, ShapesWithAScheduleOfOneOperatorAreAboutThatOne) {
  const std::vector<std::string> shape = {"targets", "--type", "f32", "--shape", "2,256,50,68,1024,7,7"};
  const auto choices = [&](std::vector<std::string> options) {
    options.insert(options.begin(), shape.begin(), shape.end());
    const ProgramRun run = RunProgram(options);
    EXPECT_TRUE(IsDone(run));
    return run.output;
  };
  EXPECT_THAT(choices({"--schedule", "cpu_channel_blocks"}),
              AllOf(StartsWith("-> roi_pool_grad_f32"), Not(HasSubstr("-> roi_pool_f32"))));
  EXPECT_THAT(choices({"--schedule", "reference"}), AllOf(HasSubstr("-> roi_pool_f32"), HasSubstr("-> roi_pool_grad_f32")));
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--shape", "2,256,50,68,1024,7,7", "--schedule", "none_such"}),
                        "roipool targets: ", "none_such"));
  if (GpuRowsOf(Operator::kRoiPool, Device::kCuda).empty()) GTEST_SKIP() << "the rest is about kernels for GPUs";
  EXPECT_THAT(choices({"--device", "cuda", "--schedule", "gpu_atomic"}), StartsWith("-> roi_pool_grad_f32_gpu_atomic_cuda\n"));
  EXPECT_THAT(choices({"--device", "cuda", "--schedule", "gpu_bins"}), StartsWith("-> roi_pool_f32_gpu_bins_cuda\n"));
}

TEST(Targets, TellsWhatADeviceUses) {
  if (GpuRowsOf(Operator::kRoiPool, Device::kCuda).empty()) GTEST_SKIP() << "built without kernels for GPUs";
  const std::vector<std::string> arguments = {"targets", "--device", "cuda", "--type", "f32", "--accumulation", "fixed_point"};
  const ProgramRun run = RunProgram(arguments);
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("\n-> roi_pool_grad_f32_gpu_fixed_point_cuda "));
  EXPECT_THAT(run.output, HasSubstr("\n-> roi_pool_f32_gpu_bins_cuda "));
  EXPECT_THAT(run.output, HasSubstr("the device cuda is asked for"));
  std::vector<std::string> of_shape = arguments;
  of_shape.insert(of_shape.end(), {"--shape", "2,256,50,68,1024,7,7"});
  const ProgramRun choice = RunProgram(of_shape);
  ASSERT_TRUE(IsDone(choice));
  EXPECT_EQ(choice.output,
            "-> roi_pool_grad_f32_gpu_fixed_point_cuda\n   nothing to tune\n"
            "-> roi_pool_f32_gpu_bins_cuda\n   nothing to tune\n");
}

TEST(Targets, ObeysTheUsersRows) {
  const TemporaryFolder folder;
  const std::string path = folder.File("my.rows");
  std::ofstream(path) << "# mine\nx86-64-baseline roi_pool_grad any any reference prefetch_distance=7\n";
  const std::vector<std::string> arguments = {"targets",  "--op",    "roi_pool_grad",       "--type", "f32", "--max-isa",
                                              "baseline", "--shape", "2,256,50,68,1024,7,7"};
  const ProgramRun run = RunProgram(arguments, {"ROIPOOL_TUNING=" + path});
  ASSERT_TRUE(IsDone(run));
  EXPECT_EQ(run.output,
            "-> roi_pool_grad_f32_reference_baseline\n"
            "   many_rois: channel_block=0 group_channels=4 prefetch_distance=7, " +
                path + ":2\n");
  std::ofstream(path) << "x86-64-baseline roi_pool_grad any any reference prefetch_distance=700\n";
  EXPECT_TRUE(IsRefused(RunProgram(arguments, {"ROIPOOL_TUNING=" + path}),
                        "roipool targets: ", path + ":1: prefetch_distance is '700', must be a whole number in [0, 64]"));
}

TEST(Targets, ListsKnobs) {
  const ProgramRun run = RunProgram({"targets", "--knobs", "--op", "roi_pool_grad"});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad every call prefetch_distance: default 3, 0 to 64; how many rois ahead"));
}

TEST(Targets, SaysSoIfNothingFits) {
  EXPECT_TRUE(IsRefused(RunProgram({"targets", "--schedule", "none_such"}), "roipool targets: ", "no kernel"));
}

}  // namespace
}  // namespace roipool::test
