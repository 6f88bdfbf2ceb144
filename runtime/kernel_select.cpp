#include "kernel_select.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cpu_features.h"
#include "make_status.h"

namespace roipool {
namespace internal {
namespace {

// "cpu_channel_blocks, reference": the schedules that the kernels of `op` come with.
void ListSchedules(Operator op, char (&list)[256]) noexcept {
  list[0] = '\0';
  const auto kernels = Kernels();
  for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
    const auto same = [&](const Kernel& other) { return other.op == op && std::strcmp(other.schedule, kernel->schedule) == 0; };
    if (kernel->op != op || std::any_of(kernels.begin(), kernel, same)) continue;
    const size_t used = std::strlen(list);
    std::snprintf(list + used, sizeof(list) - used, "%s%s", used == 0 ? "" : ", ", kernel->schedule);
  }
}

bool ScheduleFits(const Kernel& kernel, const KernelRequest& request) noexcept {
  return request.schedule == nullptr || std::strcmp(request.schedule, kernel.schedule) == 0;
}

}  // namespace

Status MakeKernelRequest(const char* function, const Options& options, KernelRequest* request) noexcept {
  ROIPOOL_CHECK(options.max_isa >= Isa::kBaseline && options.max_isa <= Isa::kAvx512, StatusCode::kInvalidArgument,
                "%s: options.max_isa is %d, must be one of Isa, 0 to 2", function, static_cast<int>(options.max_isa));
  request->isa_of_cpu = DetectIsa();
  request->isa_cap = options.max_isa;
  request->schedule = options.schedule;
  return LowerIsaByEnvironment(function, &request->isa_cap);
}

void RefusalReason(const Kernel& kernel, const KernelRequest& request, char (&reason)[128]) noexcept {
  reason[0] = '\0';
  if (!ScheduleFits(kernel, request)) {
    std::snprintf(reason, sizeof(reason), "the schedule %.60s is asked for", request.schedule);
  } else if (kernel.isa > request.isa_cap) {
    std::snprintf(reason, sizeof(reason), "the ISA is capped at %s", IsaName(request.isa_cap));
  } else if (kernel.isa > request.isa_of_cpu) {
    std::snprintf(reason, sizeof(reason), "this CPU offers no more than %s", IsaName(request.isa_of_cpu));
  } else if (request.bins > kernel.max_bins) {
    std::snprintf(reason, sizeof(reason), "a roi has more than %lld bins", static_cast<long long>(kernel.max_bins));
  }
}

Status SelectKernel(const char* function, Operator op, DataType type, const KernelRequest& request,
                    const Kernel** kernel) noexcept {
  bool schedule_exists = false;
  int64_t max_bins = 0;
  for (const Kernel& candidate : Kernels()) {
    if (candidate.op != op) continue;
    schedule_exists |= ScheduleFits(candidate, request);
    if (ScheduleFits(candidate, request)) max_bins = std::max(max_bins, candidate.max_bins);
    char reason[128];
    RefusalReason(candidate, request, reason);
    if (candidate.type == type && reason[0] == '\0') {
      *kernel = &candidate;
      return {};
    }
  }
  char schedules[256];
  ListSchedules(op, schedules);
  ROIPOOL_CHECK(schedule_exists, StatusCode::kInvalidArgument, "%s: options.schedule is \"%.60s\", must be one of: %s",
                function, request.schedule, schedules);
  ROIPOOL_CHECK(request.bins <= max_bins, StatusCode::kUnsupported,
                "%s: argmax has %lld bins per roi, the schedule %s takes at most %lld; leave options.schedule null", function,
                static_cast<long long>(request.bins), request.schedule, static_cast<long long>(max_bins));
  return MakeStatus(StatusCode::kUnsupported,
                    "%s: no kernel of %s for %s runs here within the ISA cap %s; `roipool targets` lists why", function,
                    OperatorName(op), DataTypeName(type), IsaName(request.isa_cap));
}

}  // namespace internal

int64_t KernelCount() noexcept { return static_cast<int64_t>(internal::Kernels().size()); }

Status ExplainKernel(int64_t index, const Options& options, KernelExplanation* explanation) noexcept {
  using namespace internal;
  ROIPOOL_CHECK(explanation != nullptr, StatusCode::kNullArgument, "ExplainKernel: explanation is null, must be set");
  ROIPOOL_CHECK(index >= 0 && index < KernelCount(), StatusCode::kInvalidArgument,
                "ExplainKernel: index is %lld, must be in [0, %lld)", static_cast<long long>(index),
                static_cast<long long>(KernelCount()));
  KernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeKernelRequest("ExplainKernel", options, &request));
  const Kernel& kernel = Kernels()[static_cast<size_t>(index)];
  *explanation = {.name = kernel.name, .op = kernel.op, .type = kernel.type, .schedule = kernel.schedule, .isa = kernel.isa};
  RefusalReason(kernel, request, explanation->reason);
  if (explanation->reason[0] != '\0') return {};
  const Kernel* selected = nullptr;
  ROIPOOL_RETURN_IF_ERROR(SelectKernel("ExplainKernel", kernel.op, kernel.type, request, &selected));
  explanation->chosen = selected == &kernel;
  if (explanation->chosen) {
    std::snprintf(explanation->reason, sizeof(explanation->reason), "the first of the list that fits");
  } else {
    std::snprintf(explanation->reason, sizeof(explanation->reason), "fits, but %s comes first", selected->name);
  }
  return {};
}

}  // namespace roipool
