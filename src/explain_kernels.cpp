// The public list of kernels: the CPU's, then the GPUs'.
#include <cstdio>

#include "gpu_kernel_select.h"
#include "kernel_select.h"
#include "make_status.h"
#include "roipool/kernels.h"
#include "validate.h"

namespace roipool {
namespace internal {
namespace {

// What is left once `reason` holds no refusal: `selected` is the kernel that a call uses.
void ExplainFit(const char* name, const char* selected, KernelExplanation* explanation) noexcept {
  explanation->chosen = name == selected;
  if (explanation->chosen) {
    std::snprintf(explanation->reason, sizeof(explanation->reason), "the first of the list that fits");
  } else {
    std::snprintf(explanation->reason, sizeof(explanation->reason), "fits, but %s comes first", selected);
  }
}

Status Explain(const char* function, const Kernel& kernel, const Options& options, KernelExplanation* explanation) noexcept {
  *explanation = {.name = kernel.name,
                  .op = kernel.op,
                  .type = kernel.type,
                  .schedule = kernel.schedule,
                  .base_schedule = kernel.base_schedule,
                  .isa = kernel.isa,
                  .accumulation = kernel.accumulation};
  if (options.device != Device::kCpu) {
    std::snprintf(explanation->reason, sizeof(explanation->reason), "the device %s is asked for", DeviceName(options.device));
    return {};
  }
  KernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeKernelRequest(function, kernel.op, options, &request));
  RefusalReason(kernel, request, explanation->reason);
  if (explanation->reason[0] != '\0') return {};
  const Kernel* selected = nullptr;
  ROIPOOL_RETURN_IF_ERROR(SelectKernel(function, kernel.op, kernel.type, request, &selected));
  ExplainFit(kernel.name, selected->name, explanation);
  return {};
}

Status Explain(const char* function, const GpuKernel& kernel, const Options& options, KernelExplanation* explanation) noexcept {
  *explanation = {.name = kernel.name,
                  .op = kernel.op,
                  .type = kernel.type,
                  .schedule = kernel.schedule,
                  .base_schedule = kernel.schedule,
                  .accumulation = kernel.accumulation,
                  .device = kernel.device};
  GpuKernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeGpuKernelRequest(function, kernel.op, options, &request));
  RefusalReason(kernel, request, explanation->reason);
  if (explanation->reason[0] != '\0') return {};
  const GpuKernel* selected = nullptr;
  ROIPOOL_RETURN_IF_ERROR(SelectGpuKernel(function, kernel.type, request, &selected));
  ExplainFit(kernel.name, selected->name, explanation);
  return {};
}

}  // namespace
}  // namespace internal

int64_t KernelCount() noexcept { return static_cast<int64_t>(internal::Kernels().size() + internal::GpuKernels().size()); }

Status ExplainKernel(int64_t index, const Options& options, KernelExplanation* explanation) noexcept {
  using namespace internal;
  constexpr const char* kFunction = "ExplainKernel";
  ROIPOOL_CHECK(explanation != nullptr, StatusCode::kNullArgument, "%s: explanation is null, must be set", kFunction);
  ROIPOOL_CHECK(index >= 0 && index < KernelCount(), StatusCode::kInvalidArgument, "%s: index is %lld, must be in [0, %lld)",
                kFunction, static_cast<long long>(index), static_cast<long long>(KernelCount()));
  ROIPOOL_RETURN_IF_ERROR(ValidateOptions(kFunction, options));
  const auto place = static_cast<size_t>(index);
  return place < Kernels().size() ? Explain(kFunction, Kernels()[place], options, explanation)
                                  : Explain(kFunction, GpuKernels()[place - Kernels().size()], options, explanation);
}

}  // namespace roipool
