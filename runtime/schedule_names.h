// The names of schedules, of every operator and device: lists of them, and the one that the environment names.
#ifndef ROIPOOL_RUNTIME_SCHEDULE_NAMES_H_
#define ROIPOOL_RUNTIME_SCHEDULE_NAMES_H_

#include <cstring>

#include "roipool/status.h"

namespace roipool::internal {

/// "cpu_channel_blocks, reference": each name once, in the order in which it came, cut to 255 characters.
class ScheduleList {
 public:
  void Add(const char* schedule) noexcept;
  const char* text() const noexcept { return text_; }

 private:
  bool Holds(const char* schedule) const noexcept;

  char text_[256] = {};
};

inline bool IsSameSchedule(const char* a, const char* b) noexcept { return std::strcmp(a, b) == 0; }

/// The schedule that the environment variable ROIPOOL_SCHEDULE names; null if it is not set. kInvalidArgument if no kernel of
/// any operator or device has it: a program's variable is for all of them.
Status ScheduleOfEnvironment(const char* function, const char** schedule) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_SCHEDULE_NAMES_H_
