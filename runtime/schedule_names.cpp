#include "schedule_names.h"

#include <cstdio>
#include <cstdlib>

#include "gpu_kernel_registry.h"
#include "kernel_registry.h"
#include "make_status.h"

namespace roipool::internal {

bool ScheduleList::Holds(const char* schedule) const noexcept {
  const size_t length = std::strlen(schedule);
  for (const char* at = text_; (at = std::strstr(at, schedule)) != nullptr; ++at) {
    const bool begins = at == text_ || at[-1] == ' ';
    if (begins && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

void ScheduleList::Add(const char* schedule) noexcept {
  if (Holds(schedule)) return;
  const size_t used = std::strlen(text_);
  std::snprintf(text_ + used, sizeof(text_) - used, "%s%s", used == 0 ? "" : ", ", schedule);
}

Status ScheduleOfEnvironment(const char* function, const char** schedule) noexcept {
  *schedule = nullptr;
  const char* value = std::getenv("ROIPOOL_SCHEDULE");
  if (value == nullptr || *value == '\0') return {};
  ScheduleList known;
  const auto look_at = [&](const char* name) {
    known.Add(name);
    if (IsSameSchedule(name, value)) *schedule = name;
  };
  for (const Kernel& kernel : Kernels()) look_at(kernel.schedule);
  for (const GpuKernel& kernel : GpuKernels()) look_at(kernel.schedule);
  ROIPOOL_CHECK(*schedule != nullptr, StatusCode::kInvalidArgument,
                "%s: the environment variable ROIPOOL_SCHEDULE is \"%.60s\", must be one of: %s", function, value,
                known.text());
  return {};
}

}  // namespace roipool::internal
