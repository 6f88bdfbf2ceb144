// Which kernel serves a call, and why the others do not.
#ifndef ROIPOOL_RUNTIME_KERNEL_SELECT_H_
#define ROIPOOL_RUNTIME_KERNEL_SELECT_H_

#include <cstdint>

#include "call_knobs.h"
#include "kernel_registry.h"
#include "roipool/options.h"
#include "roipool/status.h"
#include "shape_class.h"

namespace roipool::internal {

struct KernelRequest {
  Isa isa_of_cpu = Isa::kBaseline;
  Isa isa_cap = Isa::kAvx512;      ///< The lower of Options::max_isa and ROIPOOL_MAX_ISA.
  const char* schedule = nullptr;  ///< Null: any.
  Accumulation accumulation = Accumulation::kFloat;
  int64_t bins = 0;                                  ///< Of a roi; 0 if unknown.
  int64_t largest_extent = 0;                        ///< Of all dimensions; 0 if unknown.
  const char* schedule_option = "options.schedule";  ///< What `schedule` came from.
};

/// Checks the options that concern the kernel and reads the environment. Errors name `function`.
Status MakeKernelRequest(const char* function, Operator op, const Options& options, KernelRequest* request) noexcept;

/// Why `kernel` may not serve `request`, in a few words; an empty string if it may. `reason` is filled (cut to 128 bytes).
void RefusalReason(const Kernel& kernel, const KernelRequest& request, char (&reason)[128]) noexcept;

/// The first kernel of the list for `op` and `type` that may serve `request`. kUnsupported if there is none, kInvalidArgument
/// if no kernel of `op` has the schedule.
Status SelectKernel(const char* function, Operator op, DataType type, const KernelRequest& request,
                    const Kernel** kernel) noexcept;

struct KernelChoice {
  const Kernel* kernel = nullptr;
  CallKnobs knobs;
  char source[160] = {};  ///< Where the knobs come from: file and line, or "built in".
};

/// The kernel and the knobs for a call of these sizes: of the first tuned row whose kernel may serve `request`, be it of
/// options.tuning, of ROIPOOL_TUNING or compiled in; without one, those of SelectKernel() and the knobs' defaults.
Status ChooseKernel(const char* function, Operator op, DataType type, const KernelRequest& request, const Options& options,
                    ShapeClass shape_class, KernelChoice* choice) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_KERNEL_SELECT_H_
