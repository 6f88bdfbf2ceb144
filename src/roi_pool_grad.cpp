// The gradient's entry points.
#include "roipool/roi_pool_grad.h"

#include <array>
#include <utility>

#include "phases.h"
#include "plan.h"
#include "roi_pool_grad_phases.h"
#include "run.h"
#include "validate.h"

namespace roipool {
namespace internal {
namespace {

std::array<NamedTensor, 4> TensorsOf(const Names& names, const RoiPoolGradArgs& args) noexcept {
  return {{{names.grad_output, &args.grad_output, args.grad_output.data, false},
           {"argmax", &args.argmax, args.argmax.data, false},
           {"rois", &args.rois, args.rois.data, false},
           {names.grad_input, &args.grad_input, args.grad_input.data, true}}};
}

}  // namespace

Status PlanRoiPoolGradExecutor(const Names& names, const RoiPoolGradArgs& args, const Options& options,
                               uint64_t* workspace_size, ExecutorPtr* executor) noexcept {
  ROIPOOL_RETURN_IF_ERROR(ClearResults(names.function, workspace_size, executor));
  RoiPoolGradPlan plan;
  Dims dims;
  ROIPOOL_RETURN_IF_ERROR(ValidateRoiPoolGrad(names, args, options, &dims));
  ROIPOOL_RETURN_IF_ERROR(PlanRoiPoolGrad(names.function, args, options, dims, &plan));
  return HandOver(names.function, std::move(plan), options, workspace_size, executor);
}

Status RunRoiPoolGradExecutor(const Names& names, void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  RoiPoolGradPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(PlanOf(names.function, "RoiPoolGrad", executor, &plan));
  return Execute(
      names, executor, workspace, workspace_size, [&] { return TensorsOf(names, plan->args); },
      [&] {
        return plan->gpu_kernel != nullptr ? RunRoiPoolGradOnGpu(names.function, plan, workspace)
                                           : RunRoiPoolGrad(names.function, *plan, workspace);
      });
}

Status SetRoiPoolGradData(const Names& names, Executor* executor, const void* grad_output, const void* argmax, const void* rois,
                          void* grad_input) noexcept {
  RoiPoolGradPlan* plan = nullptr;
  ROIPOOL_RETURN_IF_ERROR(PlanOf(names.function, "RoiPoolGrad", executor, &plan));
  const auto set_pointers = [&](RoiPoolGradArgs& args) {
    args.grad_output.data = grad_output;
    args.argmax.data = argmax;
    args.rois.data = rois;
    args.grad_input.data = grad_input;
  };
  return SetData(names.function, executor, plan, set_pointers,
                 [&](const RoiPoolGradArgs& args) { return TensorsOf(names, args); });
}

}  // namespace internal

Status RoiPoolGradGetWorkspaceSize(const RoiPoolGradArgs& args, const Options& options, uint64_t* workspace_size,
                                   ExecutorPtr* executor) noexcept {
  return internal::PlanRoiPoolGradExecutor("RoiPoolGradGetWorkspaceSize", args, options, workspace_size, executor);
}

Status RoiPoolGrad(void* workspace, uint64_t workspace_size, Executor* executor) noexcept {
  return internal::RunRoiPoolGradExecutor("RoiPoolGrad", workspace, workspace_size, executor);
}

Status SetRoiPoolGradData(Executor* executor, const void* grad_output, const void* argmax, const void* rois,
                          void* grad_input) noexcept {
  return internal::SetRoiPoolGradData("SetRoiPoolGradData", executor, grad_output, argmax, rois, grad_input);
}

}  // namespace roipool
