#include "knobs.h"

#include "call_knobs.h"
#include "generated_words.h"
#include "make_status.h"

namespace roipool {
namespace internal {
namespace {

#define ROIPOOL_SCHEDULE(op, schedule)
#define ROIPOOL_KNOB(op, schedule, name, initial, smallest, largest, meaning) \
  {kOperator_##op, #schedule, #name, initial, smallest, largest, meaning},
#define ROIPOOL_GRAD_CALL_KNOB(name, initial, smallest, largest, meaning) \
  {Operator::kRoiPoolGrad, nullptr, #name, initial, smallest, largest, meaning},
#define ROIPOOL_POOL_CALL_KNOB(name, initial, smallest, largest, meaning) \
  {Operator::kRoiPool, nullptr, #name, initial, smallest, largest, meaning},
constexpr KnobExplanation kKnobs[] = {
#include "knobs.inc"
    ROIPOOL_GRAD_CALL_KNOBS(ROIPOOL_GRAD_CALL_KNOB) ROIPOOL_POOL_CALL_KNOBS(ROIPOOL_POOL_CALL_KNOB)};
#undef ROIPOOL_SCHEDULE
#undef ROIPOOL_KNOB
#undef ROIPOOL_GRAD_CALL_KNOB
#undef ROIPOOL_POOL_CALL_KNOB

#define ROIPOOL_SCHEDULE(op, schedule) {kOperator_##op, #schedule},
#define ROIPOOL_KNOB(op, schedule, name, initial, smallest, largest, meaning)
constexpr ScheduleName kSchedules[] = {
#include "knobs.inc"
};
#undef ROIPOOL_SCHEDULE
#undef ROIPOOL_KNOB

}  // namespace

std::span<const KnobExplanation> Knobs() noexcept { return kKnobs; }
std::span<const ScheduleName> Schedules() noexcept { return kSchedules; }

}  // namespace internal

int64_t KnobCount() noexcept { return static_cast<int64_t>(internal::Knobs().size()); }

Status ExplainKnob(int64_t index, KnobExplanation* explanation) noexcept {
  ROIPOOL_CHECK(explanation != nullptr, StatusCode::kNullArgument, "ExplainKnob: explanation is null, must be set");
  ROIPOOL_CHECK(index >= 0 && index < KnobCount(), StatusCode::kInvalidArgument,
                "ExplainKnob: index is %lld, must be in [0, %lld)", static_cast<long long>(index),
                static_cast<long long>(KnobCount()));
  *explanation = internal::Knobs()[static_cast<size_t>(index)];
  return {};
}

}  // namespace roipool
