// The public list of kernels.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "environment.h"
#include "gpu_kernel_registry.h"
#include "kernel_registry.h"
#include "kernel_rows.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "status_matchers.h"

namespace roipool::internal {
namespace {

using test::ScopedEnvironment;
using test::ScopedIsaCap;

std::vector<KernelExplanation> ExplainAll(const Options& options) {
  std::vector<KernelExplanation> all;
  for (int64_t i = 0; i < KernelCount(); ++i) EXPECT_OK(ExplainKernel(i, options, &all.emplace_back()));
  return all;
}

TEST(ExplainKernel, ListsTheKernelsOfEveryDevice) {
  const std::vector<KernelExplanation> all = ExplainAll({});
  ASSERT_EQ(all.size(), Kernels().size() + GpuKernels().size());
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_cpu = i < Kernels().size();
    EXPECT_STREQ(all[i].name, is_cpu ? Kernels()[i].name : GpuKernels()[i - Kernels().size()].name);
    EXPECT_EQ(all[i].device == Device::kCpu, is_cpu);
  }
}

TEST(ExplainKernel, OneOfEachOperatorAndTypeIsChosen) {
  const ScopedIsaCap scoped(nullptr);
  std::map<std::pair<Operator, DataType>, int> chosen;
  for (int64_t i = 0; i < KernelCount(); ++i) {
    KernelExplanation explanation;
    ASSERT_OK(ExplainKernel(i, {}, &explanation));
    EXPECT_STRNE(explanation.reason, "");
    if (explanation.device == Device::kCpu) chosen[{explanation.op, explanation.type}] += explanation.chosen;
    EXPECT_FALSE(explanation.chosen && explanation.device != Device::kCpu) << explanation.name;
  }
  EXPECT_EQ(chosen.size(), 8u);
  for (const auto& [key, count] : chosen) EXPECT_EQ(count, 1);
}

TEST(ExplainKernel, SaysWhatComesFirst) {
  const ScopedIsaCap scoped("baseline");
  for (int64_t i = 0; i < KernelCount(); ++i) {
    KernelExplanation explanation;
    ASSERT_OK(ExplainKernel(i, {}, &explanation));
    const std::string name = explanation.name, reason = explanation.reason;
    if (explanation.device != Device::kCpu) {
      EXPECT_EQ(reason, "the device cpu is asked for");
    } else if (name == "roi_pool_grad_f16_reference_baseline") {
      EXPECT_EQ(reason,
                "fits, but roi_pool_grad_f16_" + test::SchedulesOf(Operator::kRoiPoolGrad).front() + "_baseline comes first");
    } else if (explanation.accumulation == Accumulation::kFixedPoint) {
      EXPECT_EQ(reason, "the accumulation float is asked for");
    } else if (explanation.isa != Isa::kBaseline) {
      EXPECT_EQ(reason, "the ISA is capped at baseline");
    }
  }
}

// Phase 1 without data of a call of `op`, and the kernel that it takes.
std::string KernelOf(Operator op, DataType type, const Options& options) {
  const void* no_input = nullptr;
  void* no_output = nullptr;
  const TensorView rois = ContiguousTensor(no_input, DataType::kFloat32, {2, 5});
  uint64_t size = 0;
  ExecutorPtr executor;
  if (op == Operator::kRoiPoolGrad) {
    const RoiPoolGradArgs args = {ContiguousTensor(no_input, type, {2, 3, 7, 7}),
                                  ContiguousTensor(no_input, DataType::kInt32, {2, 3, 7, 7}), rois,
                                  ContiguousTensor(no_output, type, {1, 3, 20, 20})};
    EXPECT_OK(RoiPoolGradGetWorkspaceSize(args, options, &size, &executor));
  } else {
    const RoiPoolArgs args = {
        ContiguousTensor(no_input, type, {1, 3, 20, 20}),           rois, 1, 1, ContiguousTensor(no_output, type, {2, 3, 7, 7}),
        ContiguousTensor(no_output, DataType::kInt32, {2, 3, 7, 7})};
    EXPECT_OK(RoiPoolGetWorkspaceSize(args, options, &size, &executor));
  }
  return executor == nullptr ? "" : KernelName(*executor);
}

// One of each operator and type, and it is the one that phase 1 takes.
TEST(ExplainKernel, OnAGpuItTellsWhatACallUses) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  for (const Device device : {Device::kCuda, Device::kOpenCl}) {
    for (const Accumulation accumulation : {Accumulation::kFloat, Accumulation::kFixedPoint}) {
      Options options;
      options.device = device;
      options.accumulation = accumulation;
      std::map<std::pair<Operator, DataType>, std::string> chosen;
      for (const KernelExplanation& kernel : ExplainAll(options)) {
        const bool is_grad = kernel.op == Operator::kRoiPoolGrad;
        if (kernel.chosen) {
          EXPECT_TRUE(chosen.emplace(std::pair(kernel.op, kernel.type), kernel.name).second) << kernel.name;
          EXPECT_EQ(kernel.device, device);
          EXPECT_EQ(kernel.accumulation, is_grad ? accumulation : Accumulation::kFloat);
        } else if (kernel.device != device) {
          EXPECT_EQ(kernel.reason, std::string("the device ") + DeviceName(device) + " is asked for");
        } else if (is_grad && kernel.accumulation != accumulation) {
          EXPECT_EQ(kernel.reason, std::string("the accumulation ") + AccumulationName(accumulation) + " is asked for");
        } else {
          EXPECT_EQ(kernel.reason, "fits, but " + chosen[std::pair(kernel.op, kernel.type)] + " comes first");
        }
      }
      EXPECT_EQ(chosen.size(), 8u);
      for (const auto& [key, name] : chosen) EXPECT_EQ(KernelOf(key.first, key.second, options), name);
    }
  }
}

TEST(ExplainKernel, TheEnvironmentsScheduleIsItsDevices) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  const ScopedEnvironment schedule("ROIPOOL_SCHEDULE", "gpu_shared_planes");
  Options options;
  options.device = Device::kOpenCl;
  options.accumulation = Accumulation::kFixedPoint;
  for (const KernelExplanation& kernel : ExplainAll(options)) {
    if (!kernel.chosen) continue;
    EXPECT_EQ(kernel.schedule == std::string("gpu_shared_planes"), kernel.op == Operator::kRoiPoolGrad) << kernel.name;
  }
  int chosen_on_cpu = 0;
  for (const KernelExplanation& kernel : ExplainAll({})) chosen_on_cpu += kernel.chosen;
  EXPECT_EQ(chosen_on_cpu, 8) << "a GPU's schedule leaves the CPU its own";
}

TEST(ExplainKernel, AnUnknownScheduleOfTheEnvironmentNamesEveryDevices) {
  const ScopedEnvironment schedule("ROIPOOL_SCHEDULE", "quick");
  KernelExplanation explanation;
  EXPECT_FAILS(ExplainKernel(0, {}, &explanation), StatusCode::kInvalidArgument, "ROIPOOL_SCHEDULE is \"quick\"",
               "must be one of: ", "reference");
  if (GpuKernels().empty()) return;
  EXPECT_FAILS(ExplainKernel(0, {}, &explanation), StatusCode::kInvalidArgument, "gpu_atomic");
}

TEST(ExplainKernel, RefusesBadArguments) {
  KernelExplanation explanation;
  EXPECT_FAILS(ExplainKernel(0, {}, nullptr), StatusCode::kNullArgument, "ExplainKernel: explanation is null");
  EXPECT_FAILS(ExplainKernel(-1, {}, &explanation), StatusCode::kInvalidArgument, "index is -1");
  EXPECT_FAILS(ExplainKernel(KernelCount(), {}, &explanation), StatusCode::kInvalidArgument,
               "index is " + std::to_string(KernelCount()));
  Options options;
  options.max_isa = static_cast<Isa>(7);
  EXPECT_FAILS(ExplainKernel(0, options, &explanation), StatusCode::kInvalidArgument, "options.max_isa is 7");
  options = {};
  options.device = static_cast<Device>(5);
  EXPECT_FAILS(ExplainKernel(KernelCount() - 1, options, &explanation), StatusCode::kInvalidArgument, "options.device is 5");
}

}  // namespace
}  // namespace roipool::internal
