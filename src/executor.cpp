#include "executor.h"

#include <cstdio>

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

const char* KernelName(const Executor& executor) noexcept { return executor.plan().kernel_name(); }

TuningExplanation TuningOf(const Executor& executor) noexcept {
  TuningExplanation explanation;
  const internal::Plan& plan = executor.plan();
  if (plan.kernel == nullptr) return explanation;
  const char* shape_class = internal::ShapeClassName(plan.shape_class);
  auto& text = explanation.text;
  if (plan.kernel->op == Operator::kRoiPoolGrad) {
    const internal::CallKnobs& knobs = plan.choice.knobs;
    std::snprintf(text, sizeof(text), "%s: channel_block=%d group_channels=%d prefetch_distance=%d, %s", shape_class,
                  knobs.channel_block, knobs.group_channels, knobs.prefetch_distance, plan.choice.source);
  } else {
    std::snprintf(text, sizeof(text), "%s: channel_block=%d, %s", shape_class, plan.choice.knobs.channel_block,
                  plan.choice.source);
  }
  return explanation;
}

int32_t ThreadCount(const Executor& executor) noexcept { return executor.plan().threads; }

}  // namespace roipool
