// The steps that every operator's two phases share.
#ifndef ROIPOOL_SRC_PHASES_H_
#define ROIPOOL_SRC_PHASES_H_

#include <new>
#include <utility>

#include "executor.h"
#include "make_status.h"
#include "names.h"
#include "validate_tensor.h"

namespace roipool::internal {

/// The end of phase 1: the caller gets the executor and the size of its workspace.
template <typename OperatorPlan>
Status HandOver(const char* function, OperatorPlan plan, const Options& options, uint64_t* workspace_size,
                ExecutorPtr* executor) noexcept {
  const uint64_t size = plan.workspace.size();
  executor->reset(new (std::nothrow) Executor(std::move(plan), options.repeatable));
  ROIPOOL_CHECK(*executor != nullptr, StatusCode::kOutOfMemory, "%s: no memory for an executor of %d bytes", function,
                static_cast<int>(sizeof(Executor)));
  *workspace_size = size;
  return {};
}

/// Phase 1's first step: both results are set to "nothing", so that every failure leaves them so.
inline Status ClearResults(const char* function, uint64_t* workspace_size, ExecutorPtr* executor) noexcept {
  if (workspace_size != nullptr) *workspace_size = 0;
  if (executor != nullptr) executor->reset();
  ROIPOOL_CHECK(workspace_size != nullptr, StatusCode::kNullArgument, "%s: workspace_size is null, must be set", function);
  ROIPOOL_CHECK(executor != nullptr, StatusCode::kNullArgument, "%s: executor is null, must be set", function);
  return {};
}

/// The plan inside `executor`, if it is one of this operator.
template <typename OperatorPlan>
Status PlanOf(const char* function, const char* operator_name, Executor* executor, OperatorPlan** plan) noexcept {
  ROIPOOL_CHECK(executor != nullptr, StatusCode::kNullArgument, "%s: executor is null, must come from %sGetWorkspaceSize",
                function, operator_name);
  *plan = executor->plan_of<OperatorPlan>();
  ROIPOOL_CHECK(*plan != nullptr, StatusCode::kInvalidState,
                "%s: executor belongs to another operator, must come from %sGetWorkspaceSize", function, operator_name);
  return {};
}

/// Phase 2: state, workspace and pointers, then run(). A failed check gives the executor back unused. `tensors_of` is called
/// once the executor is claimed, when nobody else can change its pointers.
template <typename TensorsOf, typename Run>
Status Execute(const Names& names, Executor* executor, void* workspace, uint64_t workspace_size, const TensorsOf& tensors_of,
               const Run& run) noexcept {
  ROIPOOL_RETURN_IF_ERROR(executor->Claim(names.function));
  const auto tensors = tensors_of();
  const Plan& plan = executor->plan();
  Status status = (plan.has_handles ? ValidateWorkspaceHandle : ValidateWorkspace)(names, workspace, workspace_size,
                                                                                   plan.workspace.size(), tensors);
  if (status.ok()) status = (plan.has_handles ? ValidateHandles : ValidateData)(names.function, tensors, /*must_be_set=*/true);
  if (!status.ok()) {
    executor->Release();
    return status;
  }
  status = run();
  executor->Finish();
  return status;
}

/// Gives the plan of `executor` the pointers that set_pointers(args) sets, if nothing is wrong with them.
template <typename OperatorPlan, typename SetPointers, typename TensorsOf>
Status SetData(const char* function, Executor* executor, OperatorPlan* plan, const SetPointers& set_pointers,
               const TensorsOf& tensors_of) noexcept {
  ROIPOOL_RETURN_IF_ERROR(executor->Claim(function));
  auto args = plan->args;
  set_pointers(args);
  const Status status = (plan->has_handles ? ValidateHandles : ValidateData)(function, tensors_of(args), /*must_be_set=*/true);
  if (status.ok()) plan->args = args;
  executor->Release();
  return status;
}

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_PHASES_H_
