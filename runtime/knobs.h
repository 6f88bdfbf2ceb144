// Every knob of this build: those that schedule files declare, and those of a call (call_knobs.h).
#ifndef ROIPOOL_RUNTIME_KNOBS_H_
#define ROIPOOL_RUNTIME_KNOBS_H_

#include <cstdint>
#include <span>

#include "roipool/kernels.h"

namespace roipool::internal {

/// In the order of their declaration.
std::span<const KnobExplanation> Knobs() noexcept;

struct ScheduleName {
  Operator op;
  const char* name;
};

/// The schedules that are compiled in, without their variants, in order of preference.
std::span<const ScheduleName> Schedules() noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_KNOBS_H_
