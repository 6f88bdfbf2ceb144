// Which of a GPU's kernels serves a call, and why the others do not.
#ifndef ROIPOOL_RUNTIME_GPU_KERNEL_SELECT_H_
#define ROIPOOL_RUNTIME_GPU_KERNEL_SELECT_H_

#include <cstdint>

#include "gpu_kernel_registry.h"
#include "roipool/options.h"
#include "roipool/status.h"

namespace roipool::internal {

struct GpuKernelRequest {
  Operator op = Operator::kRoiPoolGrad;
  Device device = Device::kCuda;
  Accumulation accumulation = Accumulation::kFloat;  ///< The forward's is this one.
  const char* schedule = nullptr;                    ///< Null: any.
  const char* schedule_option = "options.schedule";  ///< What `schedule` came from.
  int64_t pixels = 0;                                ///< Of a plane; 0 if unknown.
};

/// Checks the options that concern the kernel and reads the environment. Errors name `function`.
Status MakeGpuKernelRequest(const char* function, Operator op, const Options& options, GpuKernelRequest* request) noexcept;

/// Why `kernel`, of the request's operator, may not serve it, in a few words; an empty string if it may.
void RefusalReason(const GpuKernel& kernel, const GpuKernelRequest& request, char (&reason)[128]) noexcept;

/// The first kernel of the list for `type` that may serve `request`. kUnsupported if there is none, kInvalidArgument if no
/// kernel has the schedule.
Status SelectGpuKernel(const char* function, DataType type, const GpuKernelRequest& request, const GpuKernel** kernel) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_KERNEL_SELECT_H_
