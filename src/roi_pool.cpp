// The forward's entry points.
#include "roipool/roi_pool.h"

#include <array>

#include "phases.h"
#include "plan.h"
#include "run.h"
#include "validate.h"

namespace roipool {
namespace {

using internal::NamedTensor;

std::array<NamedTensor, 4> TensorsOf(const RoiPoolArgs& args) noexcept {
  return {{{"x", &args.x, args.x.data, false},
           {"rois", &args.rois, args.rois.data, false},
           {"y", &args.y, args.y.data, true},
           {"argmax", &args.argmax, args.argmax.data, true}}};
}

}  // namespace

Status RoiPoolGetWorkspaceSize(const RoiPoolArgs& args, const Options& options, uint64_t* workspace_size,
                               ExecutorPtr* executor) noexcept {
  constexpr const char* kFunction = "RoiPoolGetWorkspaceSize";
  ROIPOOL_RETURN_IF_ERROR(internal::ClearResults(kFunction, workspace_size, executor));
  internal::RoiPoolPlan plan;
  internal::Dims dims;
  ROIPOOL_RETURN_IF_ERROR(internal::ValidateRoiPool(kFunction, args, options, &dims));
  ROIPOOL_RETURN_IF_ERROR(internal::PlanRoiPool(kFunction, args, options, dims, &plan));
  return internal::HandOver(kFunction, plan, options, workspace_size, executor);
}

Status RoiPool(void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  constexpr const char* kFunction = "RoiPool";
  internal::RoiPoolPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(internal::PlanOf(kFunction, kFunction, executor, &plan));
  return internal::Execute(kFunction, executor, workspace, workspace_size, [&] { return TensorsOf(plan->args); },
                           [&] { return internal::RunRoiPool(kFunction, *plan, workspace); });
}

Status SetRoiPoolData(Executor* executor, const void* x, const void* rois, void* y, void* argmax) noexcept {
  constexpr const char* kFunction = "SetRoiPoolData";
  internal::RoiPoolPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(internal::PlanOf(kFunction, "RoiPool", executor, &plan));
  const auto set_pointers = [&](RoiPoolArgs& args) {
    args.x.data = x;
    args.rois.data = rois;
    args.y.data = y;
    args.argmax.data = argmax;
  };
  return internal::SetData(kFunction, executor, plan, set_pointers, TensorsOf);
}

}  // namespace roipool
