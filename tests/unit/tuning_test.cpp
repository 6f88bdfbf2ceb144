// Tuned rows: how they are read, which one a call gets, and that a bad one is never passed over.
#include "tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "environment.h"
#include "grad_case.h"
#include "kernel_rows.h"
#include "kernel_select.h"
#include "knobs.h"
#include "plan.h"
#include "run.h"
#include "status_matchers.h"
#include "temporary_folder.h"

namespace roipool::internal {
namespace {

using test::GradCase;
using test::ScopedEnvironment;

constexpr CallSizes kShapeA = {.rois = 1024, .channels = 256, .bins = 49, .images = 2, .pixels = 50 * 68};
constexpr CallSizes kShapeB = {.rois = 128, .channels = 512, .bins = 49, .images = 2, .pixels = 38 * 63};
constexpr CallSizes kShapeC = {.rois = 256, .channels = 1024, .bins = 196, .images = 2, .pixels = 38 * 63};
constexpr CallSizes kShapeD = {.rois = 1, .channels = 32, .bins = 4, .images = 4, .pixels = 9};
constexpr CallSizes kShapeE = {.rois = 512, .channels = 256, .bins = 49, .images = 2, .pixels = 200 * 272};

TEST(ShapeClass, OfTheNamedShapes) {
  EXPECT_EQ(ClassOf(kShapeA), ShapeClass::kManyRois);
  EXPECT_EQ(ClassOf(kShapeB), ShapeClass::kFewRois);
  EXPECT_EQ(ClassOf(kShapeC), ShapeClass::kManyRois);
  EXPECT_EQ(ClassOf(kShapeD), ShapeClass::kTiny);
  EXPECT_EQ(ClassOf(kShapeE), ShapeClass::kLargeMap);
  EXPECT_STREQ(ShapeClassName(ShapeClass::kLargeMap), "large_map");
}

// A file of rows, and what calls get with it.
class TunedRows : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::HasDefaultSchedules()) GTEST_SKIP() << "the rows are about schedules that this build replaces";
  }
  std::string Write(const std::string& text) {
    const std::string path = (folder_.path() / "my.rows").string();
    std::ofstream(path) << text;
    return path;
  }
  TuningPtr Load(const std::string& text) {
    TuningPtr tuning;
    EXPECT_OK(LoadTuning(Write(text).c_str(), &tuning));
    return tuning;
  }
  static KernelChoice Choose(const Options& options, ShapeClass shape_class, DataType type = DataType::kFloat32,
                             int64_t bins = 49) {
    KernelRequest request;
    EXPECT_OK(MakeKernelRequest("F", Operator::kRoiPoolGrad, options, &request));
    request.bins = bins;
    KernelChoice choice;
    EXPECT_OK(ChooseKernel("F", Operator::kRoiPoolGrad, type, request, options, shape_class, &choice));
    return choice;
  }
  static Options BaselineWith(const TuningPtr& tuning) {
    Options options;
    options.max_isa = Isa::kBaseline;
    options.tuning = tuning.get();
    return options;
  }

  test::TemporaryFolder folder_;
  ScopedEnvironment no_tuning_{"ROIPOOL_TUNING", nullptr};
};

TEST_F(TunedRows, TheMostSpecificRowOfTheFileWins) {
  const TuningPtr tuning = Load(
      "x86-64-baseline roi_pool_grad any any        reference          prefetch_distance=1\n"
      "x86-64-baseline roi_pool_grad any few_rois   reference          prefetch_distance=2\n"
      "x86-64-baseline roi_pool_grad f32 any        reference          prefetch_distance=3 # a remark\n"
      "\n# a comment\n"
      "x86-64-baseline roi_pool_grad f32 few_rois   cpu_channel_blocks prefetch_distance=4 channel_block=12 group_channels=2\n"
      "x86-64-avx2     roi_pool_grad f32 few_rois   reference          prefetch_distance=5\n");
  const Options options = BaselineWith(tuning);
  const KernelChoice exact = Choose(options, ShapeClass::kFewRois);
  EXPECT_EQ(exact.knobs.prefetch_distance, 4);
  EXPECT_EQ(exact.knobs.channel_block, 12);
  EXPECT_EQ(exact.knobs.group_channels, 2);
  EXPECT_STREQ(exact.kernel->schedule, "cpu_channel_blocks");
  EXPECT_EQ(std::string(exact.source), (folder_.path() / "my.rows").string() + ":6");
  EXPECT_EQ(Choose(options, ShapeClass::kManyRois).knobs.prefetch_distance, 3);
  EXPECT_EQ(Choose(options, ShapeClass::kFewRois, DataType::kFloat64).knobs.prefetch_distance, 2);
  EXPECT_EQ(Choose(options, ShapeClass::kManyRois, DataType::kFloat64).knobs.prefetch_distance, 1);
  EXPECT_STREQ(Choose(options, ShapeClass::kManyRois).kernel->schedule, "reference");
}

TEST_F(TunedRows, WithoutARowOfTheUsersTheLibrarysDefaultRowIsUsed) {
  const TuningPtr tuning = Load("");
  const KernelChoice choice = Choose(BaselineWith(tuning), ShapeClass::kTiny);
  EXPECT_THAT(choice.source, testing::StartsWith("schedules/tuned/x86-64-baseline.rows:"));
  EXPECT_EQ(choice.knobs.group_channels, CallKnobs().group_channels);
}

TEST_F(TunedRows, ARowWhoseKernelMayNotServeIsPassedOver) {
  const TuningPtr tuning = Load("x86-64-baseline roi_pool_grad any any cpu_channel_blocks prefetch_distance=9\n");
  Options options = BaselineWith(tuning);
  EXPECT_EQ(Choose(options, ShapeClass::kFewRois).knobs.prefetch_distance, 9);
  EXPECT_STREQ(Choose(options, ShapeClass::kFewRois, DataType::kFloat32, 961).source, "built in");
  options.schedule = "reference";
  EXPECT_STREQ(Choose(options, ShapeClass::kFewRois).source, "built in");
}

TEST_F(TunedRows, BadRowsAreErrorsWithTheirLine) {
  std::ifstream file(std::string(ROIPOOL_TEST_CASES) + "/rows/bad_rows.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    const size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    ++count;
    const std::string path = Write("# first\n\n" + line.substr(0, arrow) + "  # remark\n");
    TuningPtr tuning;
    EXPECT_FAILS(LoadTuning(path.c_str(), &tuning), StatusCode::kInvalidArgument,
                 "LoadTuning: " + path + ":3: ", line.substr(arrow + 4));
    EXPECT_EQ(tuning, nullptr);
  }
  EXPECT_GT(count, 20);
}

TEST_F(TunedRows, AKernelThatIsNotCompiledIsAnError) {
  TuningPtr tuning;
  const std::string path = Write("x86-64-avx2 roi_pool_grad any any cpu_channel_blocks bins_per_step=13");
  EXPECT_FAILS(LoadTuning(path.c_str(), &tuning), StatusCode::kInvalidArgument, path + ":1: ",
               "this library holds no kernel roi_pool_grad_f32_cpu_channel_blocks_bins_per_step13_avx2; a build with");
}

TEST_F(TunedRows, FilesThatCannotBeRead) {
  TuningPtr tuning;
  const std::string nowhere = (folder_.path() / "nowhere.rows").string(), here = folder_.path().string();
  EXPECT_FAILS(LoadTuning(nowhere.c_str(), &tuning), StatusCode::kInvalidArgument, "LoadTuning: path is \"" + nowhere + "\"",
               "No such file");
  EXPECT_FAILS(LoadTuning(here.c_str(), &tuning), StatusCode::kInvalidArgument, "it is a folder");
  // Opened, it would wait for a writer.
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FAILS(LoadTuning(pipe.c_str(), &tuning), StatusCode::kInvalidArgument, "it is a pipe or a device");
  EXPECT_FAILS(LoadTuning("/proc/self/mem", &tuning), StatusCode::kInvalidArgument,
               "reading /proc/self/mem failed after 0 rows");
  EXPECT_FAILS(LoadTuning(nullptr, &tuning), StatusCode::kNullArgument, "path is null");
  EXPECT_FAILS(LoadTuning(here.c_str(), nullptr), StatusCode::kNullArgument, "tuning is null");
}

TEST_F(TunedRows, TheEnvironmentNamesAFileThatIsReadAgainWhenItChanges) {
  const std::string path = Write("x86-64-baseline roi_pool_grad any any reference prefetch_distance=7");
  const ScopedEnvironment scoped("ROIPOOL_TUNING", path.c_str());
  Options options;
  options.max_isa = Isa::kBaseline;
  EXPECT_EQ(Choose(options, ShapeClass::kTiny).knobs.prefetch_distance, 7);
  EXPECT_EQ(Choose(options, ShapeClass::kTiny).knobs.prefetch_distance, 7);
  Write("x86-64-baseline roi_pool_grad any any reference prefetch_distance=11");
  EXPECT_EQ(Choose(options, ShapeClass::kTiny).knobs.prefetch_distance, 11);
  Write("x86-64-baseline roi_pool_grad any any reference prefetch_distances=11");
  KernelChoice choice;
  EXPECT_FAILS(ChooseKernel("F", Operator::kRoiPoolGrad, DataType::kFloat32, {}, options, ShapeClass::kTiny, &choice),
               StatusCode::kInvalidArgument, "F: " + path + ":1: a knob is 'prefetch_distances'");
}

TEST_F(TunedRows, OptionsComeBeforeTheEnvironment) {
  const ScopedEnvironment scoped("ROIPOOL_TUNING", "nowhere.rows");
  const TuningPtr tuning = Load("x86-64-baseline roi_pool_grad any any reference prefetch_distance=7");
  EXPECT_EQ(Choose(BaselineWith(tuning), ShapeClass::kTiny).knobs.prefetch_distance, 7);
  KernelChoice choice;
  EXPECT_FAILS(ChooseKernel("F", Operator::kRoiPoolGrad, DataType::kFloat32, {}, {}, ShapeClass::kTiny, &choice),
               StatusCode::kInvalidArgument, "F: the environment variable ROIPOOL_TUNING is \"nowhere.rows\"");
}

TEST_F(TunedRows, TheExecutorTellsItsRow) {
  const TuningPtr tuning = Load("x86-64-baseline roi_pool_grad any any cpu_channel_blocks prefetch_distance=5");
  test::GradProblem problem(GradCase{});
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(problem.args(), BaselineWith(tuning), &size, &executor));
  EXPECT_EQ(std::string(TuningOf(*executor).text),
            "tiny: channel_block=0 group_channels=4 prefetch_distance=5, " + (folder_.path() / "my.rows").string() + ":1");
}

// Every compiled-in row names a kernel of this library.
TEST(CompiledRows, HaveTheirKernels) {
  for (const detail::CompiledRow& row : detail::CompiledRows()) {
    std::set<DataType> types;
    for (const Kernel& kernel : Kernels()) {
      const bool is_meant = kernel.op == row.op && kernel.isa == row.isa && row.type.value_or(kernel.type) == kernel.type;
      if (is_meant && std::string(kernel.schedule) == row.values.schedule) types.insert(kernel.type);
    }
    EXPECT_EQ(types.size(), row.type ? 1u : 4u) << row.values.source;
  }
}

TEST(Knobs, AreExplained) {
  bool has_call_knob = false, has_schedule_knob = false;
  for (int64_t i = 0; i < KnobCount(); ++i) {
    KnobExplanation knob;
    ASSERT_OK(ExplainKnob(i, &knob));
    EXPECT_LE(knob.smallest, knob.initial);
    EXPECT_LE(knob.initial, knob.largest);
    EXPECT_STRNE(knob.meaning, "");
    (knob.schedule == nullptr ? has_call_knob : has_schedule_knob) = true;
  }
  EXPECT_TRUE(has_call_knob && has_schedule_knob);
  EXPECT_FAILS(ExplainKnob(KnobCount(), nullptr), StatusCode::kNullArgument, "explanation is null");
  KnobExplanation knob;
  EXPECT_FAILS(ExplainKnob(KnobCount(), &knob), StatusCode::kInvalidArgument, "index is", "must be in [0,");
  EXPECT_FAILS(ExplainKnob(-1, &knob), StatusCode::kInvalidArgument, "index is -1");
}

TEST(ScheduleEnvironment, NamesTheScheduleOfThoseOperatorsThatHaveIt) {
  const std::string best = test::SchedulesOf(Operator::kRoiPool).front();
  const ScopedEnvironment scoped("ROIPOOL_SCHEDULE", best.c_str());
  KernelRequest request;
  ASSERT_OK(MakeKernelRequest("F", Operator::kRoiPoolGrad, {}, &request));
  EXPECT_EQ(request.schedule, nullptr);
  ASSERT_OK(MakeKernelRequest("F", Operator::kRoiPool, {}, &request));
  EXPECT_EQ(request.schedule, best);
  Options options;
  options.schedule = "reference";
  ASSERT_OK(MakeKernelRequest("F", Operator::kRoiPool, options, &request));
  EXPECT_STREQ(request.schedule, "reference") << "the option comes before the environment";
}

TEST(ScheduleEnvironment, AnotherWordIsAnError) {
  const ScopedEnvironment scoped("ROIPOOL_SCHEDULE", "fastest");
  KernelRequest request;
  EXPECT_FAILS(MakeKernelRequest("F", Operator::kRoiPoolGrad, {}, &request), StatusCode::kInvalidArgument,
               "F: the environment variable ROIPOOL_SCHEDULE is \"fastest\", must be one of: " +
                   test::SchedulesOf(Operator::kRoiPoolGrad).front() + ", ");
}

}  // namespace
}  // namespace roipool::internal
