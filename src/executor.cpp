#include "executor.h"

#include "make_status.h"

namespace roipool {

Status Executor::Claim(const char* function) noexcept {
  State expected = State::kPlanned;
  if (state_.compare_exchange_strong(expected, State::kRunning, std::memory_order_acquire)) return {};
  ROIPOOL_CHECK(expected != State::kRunning, StatusCode::kInvalidState,
                "%s: executor is running in another thread, must be idle", function);
  return internal::MakeStatus(StatusCode::kInvalidState,
                              "%s: executor has run already, may run once; set options.repeatable or plan again", function);
}

void ExecutorDeleter::operator()(Executor* executor) const noexcept { delete executor; }

const char* KernelName(const Executor& executor) noexcept {
  const internal::Kernel* kernel = executor.plan().kernel;
  return kernel == nullptr ? "none" : kernel->name;
}

const char* TuningOf(const Executor& executor) noexcept { return executor.plan().tuning; }

int32_t ThreadCount(const Executor& executor) noexcept { return executor.plan().threads; }

}  // namespace roipool
