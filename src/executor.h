// The state of an executor and the plan that it owns.
#ifndef ROIPOOL_SRC_EXECUTOR_H_
#define ROIPOOL_SRC_EXECUTOR_H_

#include <atomic>
#include <utility>
#include <variant>

#include "plan.h"
#include "roipool/executor.h"

namespace roipool {

class Executor {
 public:
  using AnyPlan = std::variant<internal::RoiPoolGradPlan, internal::RoiPoolPlan>;

  Executor(AnyPlan plan, bool repeatable) noexcept : plan_(std::move(plan)), repeatable_(repeatable) {}

  const internal::Plan& plan() const noexcept {
    return std::visit([](const auto& plan) -> const internal::Plan& { return plan; }, plan_);
  }

  /// The plan of one operator; null if the executor is another operator's.
  template <typename OperatorPlan>
  OperatorPlan* plan_of() noexcept {
    return std::get_if<OperatorPlan>(&plan_);
  }

  /// planned -> running. kInvalidState if it runs or has run.
  Status Claim(const char* function) noexcept;
  /// running -> planned, without a run.
  void Release() noexcept { state_.store(State::kPlanned, std::memory_order_release); }
  /// running -> planned or consumed, after a run.
  void Finish() noexcept { state_.store(repeatable_ ? State::kPlanned : State::kConsumed, std::memory_order_release); }

 private:
  enum class State { kPlanned, kRunning, kConsumed };

  AnyPlan plan_;
  const bool repeatable_;
  std::atomic<State> state_ = State::kPlanned;
};

}  // namespace roipool

#endif  // ROIPOOL_SRC_EXECUTOR_H_
