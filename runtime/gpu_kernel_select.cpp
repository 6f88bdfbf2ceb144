#include "gpu_kernel_select.h"

#include <algorithm>
#include <cstdio>

#include "make_status.h"
#include "schedule_names.h"

namespace roipool::internal {
namespace {

bool IsOfDevice(const GpuKernel& kernel, const GpuKernelRequest& request) noexcept {
  return kernel.op == request.op && kernel.device == request.device && kernel.accumulation == request.accumulation;
}

bool ScheduleFits(const GpuKernel& kernel, const GpuKernelRequest& request) noexcept {
  return request.schedule == nullptr || IsSameSchedule(kernel.schedule, request.schedule);
}

// What the operator has schedules for, in words: "cuda", or "cuda in fixed_point".
struct Place {
  explicit Place(const GpuKernelRequest& request) noexcept {
    const bool is_grad = request.op == Operator::kRoiPoolGrad;
    std::snprintf(text, sizeof(text), "%s%s%s", DeviceName(request.device), is_grad ? " in " : "",
                  is_grad ? AccumulationName(request.accumulation) : "");
  }
  char text[32];
};

}  // namespace

Status MakeGpuKernelRequest(const char* function, Operator op, const Options& options, GpuKernelRequest* request) noexcept {
  request->op = op;
  request->device = options.device;
  if (op == Operator::kRoiPoolGrad) request->accumulation = options.accumulation;
  request->schedule = options.schedule;
  if (options.schedule != nullptr) return {};
  const char* schedule = nullptr;
  ROIPOOL_RETURN_IF_ERROR(ScheduleOfEnvironment(function, &schedule));
  if (schedule == nullptr) return {};
  // It may be meant for CPU calls of the same program, or for the other accumulation.
  for (const GpuKernel& kernel : GpuKernels()) {
    if (!IsOfDevice(kernel, *request) || !IsSameSchedule(kernel.schedule, schedule)) continue;
    request->schedule = schedule;
    request->schedule_option = "ROIPOOL_SCHEDULE";
    break;
  }
  return {};
}

void RefusalReason(const GpuKernel& kernel, const GpuKernelRequest& request, char (&reason)[128]) noexcept {
  reason[0] = '\0';
  if (kernel.device != request.device) {
    std::snprintf(reason, sizeof(reason), "the device %s is asked for", DeviceName(request.device));
  } else if (kernel.accumulation != request.accumulation) {
    std::snprintf(reason, sizeof(reason), "the accumulation %s is asked for", AccumulationName(request.accumulation));
  } else if (!ScheduleFits(kernel, request)) {
    std::snprintf(reason, sizeof(reason), "the schedule %.60s is asked for", request.schedule);
  } else if (request.pixels > kernel.max_pixels) {
    std::snprintf(reason, sizeof(reason), "a plane has more than %lld pixels", static_cast<long long>(kernel.max_pixels));
  }
}

Status SelectGpuKernel(const char* function, DataType type, const GpuKernelRequest& request,
                       const GpuKernel** kernel) noexcept {
  ROIPOOL_CHECK(StepsOf(request.device) != nullptr, StatusCode::kUnsupported,
                "%s: options.device is %s, but this library was built without kernels for it; build with -D ROIPOOL_GPU=ON",
                function, DeviceName(request.device));
  const Place place(request);
  ScheduleList schedules;
  bool schedule_exists = false;
  int64_t max_pixels = 0;
  for (const GpuKernel& candidate : GpuKernels()) {
    if (!IsOfDevice(candidate, request)) continue;
    schedules.Add(candidate.schedule);
    if (!ScheduleFits(candidate, request)) continue;
    schedule_exists = true;
    max_pixels = std::max(max_pixels, candidate.max_pixels);
    char reason[128];
    RefusalReason(candidate, request, reason);
    if (candidate.type == type && reason[0] == '\0') {
      *kernel = &candidate;
      return {};
    }
  }
  ROIPOOL_CHECK(*schedules.text() != '\0', StatusCode::kUnsupported,
                "%s: this library was built without schedules for %s; see ROIPOOL_SCHEDULE_GPU", function, place.text);
  ROIPOOL_CHECK(schedule_exists, StatusCode::kInvalidArgument, "%s: options.schedule is \"%.60s\", on %s it must be one of: %s",
                function, request.schedule, place.text, schedules.text());
  ROIPOOL_CHECK(request.schedule != nullptr, StatusCode::kUnsupported,
                "%s: a plane has %lld pixels, the schedules of this library take at most %lld; see ROIPOOL_SCHEDULE_GPU",
                function, static_cast<long long>(request.pixels), static_cast<long long>(max_pixels));
  return MakeStatus(StatusCode::kUnsupported, "%s: a plane has %lld pixels, the schedule %s takes at most %lld; leave %s unset",
                    function, static_cast<long long>(request.pixels), request.schedule, static_cast<long long>(max_pixels),
                    request.schedule_option);
}

}  // namespace roipool::internal
