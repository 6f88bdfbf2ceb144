// Which kernels this library contains, which one a call would use, and why not the others.
#ifndef ROIPOOL_KERNELS_H_
#define ROIPOOL_KERNELS_H_

#include <cstdint>

#include "roipool/export.h"
#include "roipool/options.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool {

enum class Operator : int32_t { kRoiPoolGrad = 0, kRoiPool = 1 };

struct KernelExplanation {
  const char* name =
      nullptr;  ///< E.g. "roi_pool_grad_f32_cpu_channel_blocks_avx2". Lives as long as the program, as all texts here.
  Operator op = Operator::kRoiPoolGrad;
  DataType type = DataType::kFloat32;
  const char* schedule = nullptr;       ///< With the knobs that differ from its defaults, e.g. "cpu_channel_blocks".
  const char* base_schedule = nullptr;  ///< Without them.
  Isa isa = Isa::kBaseline;             ///< Of the CPU's kernels.
  Accumulation accumulation = Accumulation::kFloat;
  Device device = Device::kCpu;
  bool chosen = false;    ///< Whether a call of this op and type with these options uses this kernel if no tuned row is about
                          ///< it; TuningOf() tells which row a call uses.
  char reason[128] = {};  ///< Why it is chosen or refused, in a few words.
};

/// How many kernels there are: the CPU's, then those of GPUs. The order of each device's is the order of preference.
ROIPOOL_EXPORT int64_t KernelCount() noexcept;

/// Explains kernel `index` of [0, KernelCount()) under `options` and the environment. kNullArgument, kInvalidArgument for a bad
/// index, bad options, or a ROIPOOL_MAX_ISA or ROIPOOL_SCHEDULE that is unknown. Whether the machine has the device is not
/// looked at.
ROIPOOL_EXPORT Status ExplainKernel(int64_t index, const Options& options, KernelExplanation* explanation) noexcept;

/// A number that may be tuned; see schedules/README.md.
struct KnobExplanation {
  Operator op = Operator::kRoiPoolGrad;
  const char* schedule = nullptr;  ///< The schedule whose kernels are compiled for its value; null: of every call of `op`.
  const char* name = nullptr;      ///< E.g. "bins_per_step".
  int32_t initial = 0, smallest = 0, largest = 0;
  const char* meaning = nullptr;
};

ROIPOOL_EXPORT int64_t KnobCount() noexcept;

/// Explains knob `index` of [0, KnobCount()). kNullArgument, kInvalidArgument.
ROIPOOL_EXPORT Status ExplainKnob(int64_t index, KnobExplanation* explanation) noexcept;

/// The best ISA that this CPU and its operating system offer. Not lowered by ROIPOOL_MAX_ISA.
ROIPOOL_EXPORT Isa DetectIsa() noexcept;

/// "baseline", "avx2" or "avx512". Never null.
ROIPOOL_EXPORT const char* IsaName(Isa isa) noexcept;

/// "f32", "f16", "bf16", "f64", "i32" or "i64". Never null.
ROIPOOL_EXPORT const char* DataTypeName(DataType type) noexcept;

/// "float" or "fixed_point". Never null.
ROIPOOL_EXPORT const char* AccumulationName(Accumulation accumulation) noexcept;

/// "cpu", "cuda" or "opencl". Never null.
ROIPOOL_EXPORT const char* DeviceName(Device device) noexcept;

/// "roi_pool_grad" or "roi_pool". Never null.
ROIPOOL_EXPORT const char* OperatorName(Operator op) noexcept;

/// The library's version, e.g. "0.1.0". Never null.
ROIPOOL_EXPORT const char* Version() noexcept;

}  // namespace roipool

#endif  // ROIPOOL_KERNELS_H_
