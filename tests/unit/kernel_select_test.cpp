#include "kernel_select.h"

#include <gtest/gtest.h>

#include "environment.h"
#include "kernel_rows.h"
#include "status_matchers.h"

namespace roipool::internal {
namespace {

using test::KernelRow;
using test::ScopedIsaCap;

constexpr Isa kIsas[] = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};
constexpr DataType kFloatTypes[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64};

const Kernel* Select(Operator op, DataType type, const KernelRequest& request) {
  const Kernel* kernel = nullptr;
  EXPECT_OK(SelectKernel("F", op, type, request, &kernel));
  return kernel;
}

TEST(KernelSelect, RegistryIsTheBuildsList) {
  std::vector<KernelRow> rows = test::KernelRowsOf(Operator::kRoiPoolGrad);
  for (const KernelRow& row : test::KernelRowsOf(Operator::kRoiPool)) rows.push_back(row);
  ASSERT_EQ(Kernels().size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Kernel& kernel = Kernels()[i];
    EXPECT_STREQ(kernel.name, rows[i].name);
    EXPECT_EQ(kernel.op, rows[i].op);
    EXPECT_EQ(kernel.isa, rows[i].isa);
    const std::string accumulation = kernel.accumulation == Accumulation::kFixedPoint ? "fixed_point_" : "";
    EXPECT_EQ(std::string(kernel.name), std::string(OperatorName(kernel.op)) + "_" + DataTypeName(kernel.type) + "_" +
                                            accumulation + kernel.schedule + "_" + IsaName(kernel.isa));
    EXPECT_EQ(kernel.roi_pool_grad != nullptr, kernel.op == Operator::kRoiPoolGrad);
    EXPECT_EQ(kernel.roi_pool != nullptr, kernel.op == Operator::kRoiPool);
  }
}

TEST(KernelSelect, EveryTypeHasEveryIsaAndSchedule) {
  for (const Operator op : {Operator::kRoiPoolGrad, Operator::kRoiPool}) {
    for (const DataType type : kFloatTypes) {
      for (const Isa isa : kIsas) {
        for (const std::string& schedule : {test::SchedulesOf(op).front(), std::string("reference")}) {
          EXPECT_EQ(Select(op, type, {Isa::kAvx512, isa, schedule.c_str()})->name,
                    std::string(OperatorName(op)) + "_" + DataTypeName(type) + "_" + schedule + "_" + IsaName(isa));
        }
      }
    }
  }
}

TEST(KernelSelect, TakesTheBestThatCpuAndCapAllow) {
  for (const Isa cpu : kIsas) {
    for (const Isa cap : kIsas) {
      const Kernel* kernel = Select(Operator::kRoiPoolGrad, DataType::kFloat32, {cpu, cap, nullptr});
      EXPECT_EQ(kernel->isa, std::min(cpu, cap));
      EXPECT_EQ(kernel->schedule, test::SchedulesOf(Operator::kRoiPoolGrad).front())
          << "the fast schedule comes before a better ISA's reference";
    }
  }
}

TEST(KernelSelect, NoKernelForTheTypeIsUnsupported) {
  const Kernel* kernel = nullptr;
  EXPECT_FAILS(SelectKernel("F", Operator::kRoiPoolGrad, DataType::kInt32, {}, &kernel), StatusCode::kUnsupported,
               "F: ", "roi_pool_grad", "i32");
  EXPECT_EQ(kernel, nullptr);
}

TEST(KernelSelect, UnknownScheduleNamesTheKnownOnes) {
  const Kernel* kernel = nullptr;
  EXPECT_FAILS(SelectKernel("F", Operator::kRoiPool, DataType::kFloat32, {Isa::kAvx512, Isa::kAvx512, "quick"}, &kernel),
               StatusCode::kInvalidArgument, "options.schedule is \"quick\", must be one of: ", "reference");
  EXPECT_FAILS(SelectKernel("F", Operator::kRoiPool, DataType::kFloat32, {Isa::kAvx512, Isa::kAvx512, ""}, &kernel),
               StatusCode::kInvalidArgument, "options.schedule is \"\"");
}

TEST(KernelSelect, ScheduleOfOtherIsasIsNamed) {
  const Kernel* kernel = nullptr;
  const char* schedule = "cpu_channel_vectors_searched_channels32";  // AVX2's.
  EXPECT_FAILS(SelectKernel("F", Operator::kRoiPool, DataType::kFloat32, {Isa::kAvx512, Isa::kBaseline, schedule}, &kernel),
               StatusCode::kUnsupported, "f32 with the schedule ", schedule, "the ISA cap baseline");
}

TEST(KernelSelect, RefusalsGiveTheirReason) {
  const Kernel* avx512 = Select(Operator::kRoiPoolGrad, DataType::kFloat32, {Isa::kAvx512, Isa::kAvx512, nullptr});
  const auto reason = [&](const KernelRequest& request) {
    char text[128];
    RefusalReason(*avx512, request, text);
    return std::string(text);
  };
  EXPECT_EQ(reason({Isa::kAvx512, Isa::kAvx512, nullptr}), "");
  EXPECT_EQ(reason({Isa::kAvx512, Isa::kAvx2, nullptr}), "the ISA is capped at avx2");
  EXPECT_EQ(reason({Isa::kBaseline, Isa::kAvx512, nullptr}), "this CPU offers no more than baseline");
  EXPECT_EQ(reason({Isa::kAvx512, Isa::kAvx512, "reference"}), "the schedule reference is asked for");
}

TEST(KernelSelect, RequestJoinsOptionsEnvironmentAndCpu) {
  const ScopedIsaCap scoped("avx2");
  Options options;
  KernelRequest request;
  ASSERT_OK(MakeKernelRequest("F", Operator::kRoiPoolGrad, options, &request));
  EXPECT_EQ(request.isa_cap, Isa::kAvx2);
  EXPECT_EQ(request.isa_of_cpu, DetectIsa());
  options.max_isa = Isa::kBaseline;
  ASSERT_OK(MakeKernelRequest("F", Operator::kRoiPoolGrad, options, &request));
  EXPECT_EQ(request.isa_cap, Isa::kBaseline);
  const ScopedIsaCap bad("avx3");
  EXPECT_FAILS(MakeKernelRequest("F", Operator::kRoiPoolGrad, options, &request), StatusCode::kInvalidArgument,
               "ROIPOOL_MAX_ISA is \"avx3\"");
}

TEST(SelectKernel, RowsThatAreTooLongForOneScheduleGoToTheNext) {
  if (!test::HasDefaultSchedules()) GTEST_SKIP() << "about cpu_channel_blocks, which is not this build's best schedule";
  KernelRequest request;
  const Kernel* kernel = nullptr;
  request.bins = 960;
  ASSERT_OK(SelectKernel("F", Operator::kRoiPoolGrad, DataType::kFloat32, request, &kernel));
  EXPECT_STREQ(kernel->schedule, "cpu_channel_blocks");
  request.bins = 961;
  ASSERT_OK(SelectKernel("F", Operator::kRoiPoolGrad, DataType::kFloat32, request, &kernel));
  EXPECT_STREQ(kernel->schedule, "reference");
  request.schedule = "cpu_channel_blocks";
  EXPECT_FAILS(SelectKernel("F", Operator::kRoiPoolGrad, DataType::kFloat32, request, &kernel), StatusCode::kUnsupported,
               "F: argmax has 961 bins per roi, the schedule cpu_channel_blocks takes at most 960");
}

TEST(SelectKernel, DimensionsThatAreTooLongForVectorsGoToTheReference) {
  for (const Operator op : {Operator::kRoiPoolGrad, Operator::kRoiPool}) {
    KernelRequest request;
    const Kernel* kernel = nullptr;
    ASSERT_OK(SelectKernel("F", op, DataType::kFloat32, request, &kernel));
    const int64_t longest = kernel->max_extent;
    request.largest_extent = longest;
    ASSERT_OK(SelectKernel("F", op, DataType::kFloat32, request, &kernel));
    EXPECT_STRNE(kernel->schedule, "reference");
    const char* best = kernel->schedule;
    request.largest_extent = longest + 1;
    ASSERT_OK(SelectKernel("F", op, DataType::kFloat32, request, &kernel));
    EXPECT_STREQ(kernel->schedule, "reference");
    request.schedule = best;
    EXPECT_FAILS(SelectKernel("F", op, DataType::kFloat32, request, &kernel), StatusCode::kUnsupported,
                 "F: a dimension has " + std::to_string(longest + 1) + " elements",
                 "takes at most " + std::to_string(longest) + "; leave options.schedule unset");
  }
}

}  // namespace
}  // namespace roipool::internal
