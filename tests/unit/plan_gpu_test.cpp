// What a GPU's kernels cannot reach is refused by phase 1. No memory of these sizes is touched.
#include <gtest/gtest.h>

#include "gpu_kernel_registry.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "status_matchers.h"

namespace roipool::internal {
namespace {

struct Sizes {
  int64_t rois = 1, pooled_w = 1, height = 1, width = 1;
  DataType type = DataType::kFloat32, argmax_type = DataType::kInt32;
};

Status Plan(const Sizes& sizes, Device device, Accumulation accumulation) {
  const void* no_input = nullptr;
  void* no_output = nullptr;
  RoiPoolGradArgs args;
  args.grad_output = ContiguousTensor(no_input, sizes.type, {sizes.rois, 1, 1, sizes.pooled_w});
  args.argmax = ContiguousTensor(no_input, sizes.argmax_type, {sizes.rois, 1, 1, sizes.pooled_w});
  args.rois = ContiguousTensor(no_input, DataType::kFloat32, {sizes.rois, 5});
  args.grad_input = ContiguousTensor(no_output, sizes.type, {1, 1, sizes.height, sizes.width});
  Options options;
  options.device = device;
  options.accumulation = accumulation;
  uint64_t size = 0;
  ExecutorPtr executor;
  return RoiPoolGradGetWorkspaceSize(args, options, &size, &executor);
}

TEST(PlanGpu, RefusesWhatOffsetsDoNotReach) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  for (const Device device : {Device::kCuda, Device::kOpenCl}) {
    // In units of 2 bytes.
    const Sizes wide = {.rois = 2, .pooled_w = int64_t{1} << 28, .argmax_type = DataType::kInt64};
    EXPECT_FAILS(Plan(wide, device, Accumulation::kFloat), StatusCode::kUnsupported, "argmax spans 4294967296 bytes",
                 "a GPU's kernels reach 4294967294");
    EXPECT_OK(
        Plan({.rois = 2, .pooled_w = (int64_t{1} << 28) - 1, .argmax_type = DataType::kInt64}, device, Accumulation::kFloat));
  }
}

TEST(PlanGpu, RefusesWorkspacesThatOpenClDoesNotReach) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  const Sizes large = {.height = 1 << 15, .width = (1 << 16) - 1};
  EXPECT_FAILS(Plan(large, Device::kOpenCl, Accumulation::kFixedPoint), StatusCode::kUnsupported,
               "the device's workspace would have", "OpenCL's kernels reach 17179869176");
  EXPECT_OK(Plan(large, Device::kCuda, Accumulation::kFixedPoint));
  EXPECT_OK(Plan(large, Device::kOpenCl, Accumulation::kFloat));
}

Status PlanPool(const RoiPoolArgs& args, Device device) {
  Options options;
  options.device = device;
  uint64_t size = 0;
  ExecutorPtr executor;
  return RoiPoolGetWorkspaceSize(args, options, &size, &executor);
}

RoiPoolArgs PoolArgs(int64_t rois, int64_t pooled_w) {
  const void* no_input = nullptr;
  void* no_output = nullptr;
  RoiPoolArgs args;
  args.x = ContiguousTensor(no_input, DataType::kFloat32, {1, 1, 2, 2});
  args.rois = ContiguousTensor(no_input, DataType::kFloat32, {rois, 5});
  args.y = ContiguousTensor(no_output, DataType::kFloat32, {rois, 1, 1, pooled_w});
  args.argmax = ContiguousTensor(no_output, DataType::kInt32, {rois, 1, 1, pooled_w});
  return args;
}

TEST(PlanGpu, RefusesAForwardThatOffsetsDoNotReach) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  RoiPoolArgs args = PoolArgs(2, 3);
  args.x.strides[2] = int64_t{1} << 31;
  EXPECT_FAILS(PlanPool(args, Device::kCuda), StatusCode::kUnsupported, "x spans", "a GPU's kernels reach 8589934588");
  EXPECT_OK(PlanPool(args, Device::kOpenCl)) << "it is copied";
  for (const Device device : {Device::kCuda, Device::kOpenCl}) {
    EXPECT_FAILS(PlanPool(PoolArgs(1, int64_t{1} << 30), device), StatusCode::kUnsupported,
                 "the rois' bins have 2147483648 edges along an axis, a GPU's kernels reach 2147483647");
    EXPECT_OK(PlanPool(PoolArgs(1, (int64_t{1} << 30) - 1), device));
  }
}

TEST(PlanGpu, TheForwardsSchedulesAreItsOwn) {
  if (GpuKernels().empty()) GTEST_SKIP() << "built without kernels for GPUs";
  Options options;
  options.device = Device::kCuda;
  options.schedule = "gpu_atomic";
  uint64_t size = 0;
  ExecutorPtr executor;
  EXPECT_FAILS(RoiPoolGetWorkspaceSize(PoolArgs(2, 3), options, &size, &executor), StatusCode::kInvalidArgument,
               "options.schedule is \"gpu_atomic\", on cuda it must be one of: ");
}

}  // namespace
}  // namespace roipool::internal
