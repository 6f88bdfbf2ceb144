// The gradient's entry points.
#include "roipool/roi_pool_grad.h"

#include <array>

#include "phases.h"
#include "plan.h"
#include "run.h"
#include "validate.h"

namespace roipool {
namespace {

using internal::NamedTensor;

std::array<NamedTensor, 4> TensorsOf(const RoiPoolGradArgs& args) noexcept {
  return {{{"grad_output", &args.grad_output, args.grad_output.data, false},
           {"argmax", &args.argmax, args.argmax.data, false},
           {"rois", &args.rois, args.rois.data, false},
           {"grad_input", &args.grad_input, args.grad_input.data, true}}};
}

}  // namespace

Status RoiPoolGradGetWorkspaceSize(const RoiPoolGradArgs& args, const Options& options, uint64_t* workspace_size,
                                   ExecutorPtr* executor) noexcept {
  constexpr const char* kFunction = "RoiPoolGradGetWorkspaceSize";
  ROIPOOL_RETURN_IF_ERROR(internal::ClearResults(kFunction, workspace_size, executor));
  internal::RoiPoolGradPlan plan;
  internal::Dims dims;
  ROIPOOL_RETURN_IF_ERROR(internal::ValidateRoiPoolGrad(kFunction, args, options, &dims));
  ROIPOOL_RETURN_IF_ERROR(internal::PlanRoiPoolGrad(kFunction, args, options, dims, &plan));
  return internal::HandOver(kFunction, plan, options, workspace_size, executor);
}

Status RoiPoolGrad(void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  constexpr const char* kFunction = "RoiPoolGrad";
  internal::RoiPoolGradPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(internal::PlanOf(kFunction, kFunction, executor, &plan));
  return internal::Execute(kFunction, executor, workspace, workspace_size, [&] { return TensorsOf(plan->args); },
                           [&] { return internal::RunRoiPoolGrad(kFunction, *plan, workspace); });
}

Status SetRoiPoolGradData(Executor* executor, const void* grad_output, const void* argmax, const void* rois,
                          void* grad_input) noexcept {
  constexpr const char* kFunction = "SetRoiPoolGradData";
  internal::RoiPoolGradPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(internal::PlanOf(kFunction, "RoiPoolGrad", executor, &plan));
  const auto set_pointers = [&](RoiPoolGradArgs& args) {
    args.grad_output.data = grad_output;
    args.argmax.data = argmax;
    args.rois.data = rois;
    args.grad_input.data = grad_input;
  };
  return internal::SetData(kFunction, executor, plan, set_pointers, TensorsOf);
}

}  // namespace roipool
