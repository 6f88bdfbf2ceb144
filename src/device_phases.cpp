#include "device_phases.h"

#include "executor.h"
#include "make_status.h"
#include "run.h"

namespace roipool {
namespace internal {

void SetDeviceStream(Executor* executor, void* device_stream) noexcept {
  if (auto* grad = executor->plan_of<RoiPoolGradPlan>()) grad->gpu.queue.stream = device_stream;
  if (auto* pool = executor->plan_of<RoiPoolPlan>()) pool->gpu.queue.stream = device_stream;
}

Status SynchronizeExecutor(const char* function, Executor* executor) noexcept {
  ROIPOOL_CHECK(executor != nullptr, StatusCode::kNullArgument, "%s: executor is null, must be set", function);
  if (executor->plan().gpu_kernel == nullptr) return {};
  if (auto* grad = executor->plan_of<RoiPoolGradPlan>()) return SynchronizeRoiPoolGrad(function, grad);
  return SynchronizeRoiPool(function, executor->plan_of<RoiPoolPlan>());
}

}  // namespace internal

Status Synchronize(Executor* executor) noexcept { return internal::SynchronizeExecutor("Synchronize", executor); }

}  // namespace roipool
