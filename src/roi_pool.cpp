// The forward's entry points.
#include "roipool/roi_pool.h"

#include <array>
#include <utility>

#include "phases.h"
#include "plan.h"
#include "roi_pool_phases.h"
#include "run.h"
#include "validate.h"

namespace roipool {
namespace internal {
namespace {

std::array<NamedTensor, 4> TensorsOf(const RoiPoolArgs& args) noexcept {
  return {{{"x", &args.x, args.x.data, false},
           {"rois", &args.rois, args.rois.data, false},
           {"y", &args.y, args.y.data, true},
           {"argmax", &args.argmax, args.argmax.data, true}}};
}

}  // namespace

Status PlanRoiPoolExecutor(const Names& names, const RoiPoolArgs& args, const Options& options, uint64_t* workspace_size,
                           ExecutorPtr* executor) noexcept {
  ROIPOOL_RETURN_IF_ERROR(ClearResults(names.function, workspace_size, executor));
  RoiPoolPlan plan;
  Dims dims;
  ROIPOOL_RETURN_IF_ERROR(ValidateRoiPool(names.function, args, options, &dims));
  ROIPOOL_RETURN_IF_ERROR(PlanRoiPool(names.function, args, options, dims, &plan));
  return HandOver(names.function, std::move(plan), options, workspace_size, executor);
}

Status RunRoiPoolExecutor(const Names& names, void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  RoiPoolPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(PlanOf(names.function, "RoiPool", executor, &plan));
  return Execute(
      names, executor, workspace, workspace_size, [&] { return TensorsOf(plan->args); },
      [&] {
        return plan->gpu_kernel != nullptr ? RunRoiPoolOnGpu(names.function, plan, workspace)
                                           : RunRoiPool(names.function, *plan, workspace);
      });
}

Status SetRoiPoolData(const Names& names, Executor* executor, const void* x, const void* rois, void* y, void* argmax) noexcept {
  RoiPoolPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(PlanOf(names.function, "RoiPool", executor, &plan));
  const auto set_pointers = [&](RoiPoolArgs& args) {
    args.x.data = x;
    args.rois.data = rois;
    args.y.data = y;
    args.argmax.data = argmax;
  };
  return SetData(names.function, executor, plan, set_pointers, TensorsOf);
}

}  // namespace internal

Status RoiPoolGetWorkspaceSize(const RoiPoolArgs& args, const Options& options, uint64_t* workspace_size,
                               ExecutorPtr* executor) noexcept {
  return internal::PlanRoiPoolExecutor("RoiPoolGetWorkspaceSize", args, options, workspace_size, executor);
}

Status RoiPool(void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  return internal::RunRoiPoolExecutor("RoiPool", workspace, workspace_size, executor);
}

Status SetRoiPoolData(Executor* executor, const void* x, const void* rois, void* y, void* argmax) noexcept {
  return internal::SetRoiPoolData("SetRoiPoolData", executor, x, rois, y, argmax);
}

}  // namespace roipool
