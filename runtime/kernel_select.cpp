#include "kernel_select.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cpu_features.h"
#include "make_status.h"
#include "schedule_names.h"
#include "tuning.h"

namespace roipool::internal {
namespace {

// What snprintf() does, in a fraction of its time.
template <size_t kSize>
void CopyText(const char* from, char (&to)[kSize]) noexcept {
  const size_t length = std::min(std::strlen(from), kSize - 1);
  std::memcpy(to, from, length);
  to[length] = '\0';
}

// Unless it is another operator's or device's.
Status TakeScheduleOfEnvironment(const char* function, Operator op, KernelRequest* request) noexcept {
  const char* schedule = nullptr;
  ROIPOOL_RETURN_IF_ERROR(ScheduleOfEnvironment(function, &schedule));
  if (schedule == nullptr) return {};
  for (const Kernel& kernel : Kernels()) {
    if (kernel.op == op && IsSameSchedule(kernel.schedule, schedule)) request->schedule = schedule;
  }
  request->schedule_option = "ROIPOOL_SCHEDULE";
  return {};
}

bool ScheduleFits(const Kernel& kernel, const KernelRequest& request) noexcept {
  return request.schedule == nullptr || IsSameSchedule(kernel.schedule, request.schedule);
}

}  // namespace

Status MakeKernelRequest(const char* function, Operator op, const Options& options, KernelRequest* request) noexcept {
  ROIPOOL_CHECK(options.max_isa >= Isa::kBaseline && options.max_isa <= Isa::kAvx512, StatusCode::kInvalidArgument,
                "%s: options.max_isa is %d, must be one of Isa, 0 to 2", function, static_cast<int>(options.max_isa));
  request->isa_of_cpu = DetectIsa();
  request->isa_cap = options.max_isa;
  request->schedule = options.schedule;
  if (op == Operator::kRoiPoolGrad) request->accumulation = options.accumulation;
  if (options.schedule == nullptr) ROIPOOL_RETURN_IF_ERROR(TakeScheduleOfEnvironment(function, op, request));
  return LowerIsaByEnvironment(function, &request->isa_cap);
}

void RefusalReason(const Kernel& kernel, const KernelRequest& request, char (&reason)[128]) noexcept {
  reason[0] = '\0';
  if (kernel.accumulation != request.accumulation) {
    std::snprintf(reason, sizeof(reason), "the accumulation %s is asked for", AccumulationName(request.accumulation));
  } else if (!ScheduleFits(kernel, request)) {
    std::snprintf(reason, sizeof(reason), "the schedule %.60s is asked for", request.schedule);
  } else if (kernel.isa > request.isa_cap) {
    std::snprintf(reason, sizeof(reason), "the ISA is capped at %s", IsaName(request.isa_cap));
  } else if (kernel.isa > request.isa_of_cpu) {
    std::snprintf(reason, sizeof(reason), "this CPU offers no more than %s", IsaName(request.isa_of_cpu));
  } else if (request.bins > kernel.max_bins) {
    std::snprintf(reason, sizeof(reason), "a roi has more than %lld bins", static_cast<long long>(kernel.max_bins));
  } else if (request.largest_extent > kernel.max_extent) {
    std::snprintf(reason, sizeof(reason), "a dimension is longer than %lld", static_cast<long long>(kernel.max_extent));
  }
}

Status SelectKernel(const char* function, Operator op, DataType type, const KernelRequest& request,
                    const Kernel** kernel) noexcept {
  bool schedule_exists = false;
  int64_t max_bins = 0, max_extent = 0;
  for (const Kernel& candidate : Kernels()) {
    if (candidate.op != op || candidate.accumulation != request.accumulation) continue;
    schedule_exists |= ScheduleFits(candidate, request);
    if (ScheduleFits(candidate, request)) {
      max_bins = std::max(max_bins, candidate.max_bins);
      max_extent = std::max(max_extent, candidate.max_extent);
    }
    char reason[128];
    RefusalReason(candidate, request, reason);
    if (candidate.type == type && reason[0] == '\0') {
      *kernel = &candidate;
      return {};
    }
  }
  ScheduleList schedules;
  for (const Kernel& candidate : Kernels()) {
    if (candidate.op == op) schedules.Add(candidate.schedule);
  }
  ROIPOOL_CHECK(schedule_exists, StatusCode::kInvalidArgument, "%s: options.schedule is \"%.60s\", must be one of: %s",
                function, request.schedule, schedules.text());
  ROIPOOL_CHECK(request.bins <= max_bins, StatusCode::kUnsupported,
                "%s: argmax has %lld bins per roi, the schedule %s takes at most %lld; leave %s unset", function,
                static_cast<long long>(request.bins), request.schedule, static_cast<long long>(max_bins),
                request.schedule_option);
  ROIPOOL_CHECK(request.largest_extent <= max_extent, StatusCode::kUnsupported,
                "%s: a dimension has %lld elements, the schedule %s takes at most %lld; leave %s unset", function,
                static_cast<long long>(request.largest_extent), request.schedule, static_cast<long long>(max_extent),
                request.schedule_option);
  const bool is_any = request.schedule == nullptr;
  return MakeStatus(StatusCode::kUnsupported,
                    "%s: no kernel of %s for %s%s%.60s runs here within the ISA cap %s; `roipool targets` lists why", function,
                    OperatorName(op), DataTypeName(type), is_any ? "" : " with the schedule ", is_any ? "" : request.schedule,
                    IsaName(request.isa_cap));
}

Status ChooseKernel(const char* function, Operator op, DataType type, const KernelRequest& request, const Options& options,
                    ShapeClass shape_class, KernelChoice* choice) noexcept {
  *choice = {};
  CopyText("built in", choice->source);
  std::shared_ptr<const Tuning> of_environment;
  if (options.tuning == nullptr) ROIPOOL_RETURN_IF_ERROR(TuningOfEnvironment(function, &of_environment));
  ROIPOOL_RETURN_IF_ERROR(SelectKernel(function, op, type, request, &choice->kernel));

  const TunedCall call = {std::min(request.isa_of_cpu, request.isa_cap), op, type, shape_class};
  ForTunedRows(call, options.tuning != nullptr ? options.tuning : of_environment.get(), [&](const TunedValues& values) {
    for (const Kernel& kernel : Kernels()) {
      if (kernel.op != op || kernel.type != type || kernel.isa != call.isa || kernel.accumulation != request.accumulation ||
          !IsSameSchedule(kernel.schedule, values.schedule))
        continue;
      char reason[128];
      RefusalReason(kernel, request, reason);
      if (reason[0] != '\0') continue;
      choice->kernel = &kernel;
      choice->knobs = values.knobs;
      CopyText(values.source, choice->source);
      return true;
    }
    return false;
  });
  return {};
}

}  // namespace roipool::internal
