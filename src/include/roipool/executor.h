// What phase 1 hands to phase 2.
#ifndef ROIPOOL_EXECUTOR_H_
#define ROIPOOL_EXECUTOR_H_

#include <cstdint>
#include <memory>

#include "roipool/export.h"
#include "roipool/status.h"

namespace roipool {

/// A checked call with its kernel chosen and its workspace laid out. It holds no tensor data, only the pointers it was given.
///
///     planned --phase 2--> running --> consumed      (Options::repeatable false: a second run is kInvalidState)
///        ^------------------'                        (Options::repeatable true)
///
/// A phase 2 that fails its checks (state, workspace, pointers) before it touches memory leaves the state as it was; one that
/// fails later counts as a run. Two threads may not run one executor at once: the second gets kInvalidState. Different
/// executors never disturb each other.
class Executor;

struct ExecutorDeleter {
  ROIPOOL_EXPORT void operator()(Executor* executor) const noexcept;
};

/// The caller owns the executor; destroying it is not allowed while it runs.
using ExecutorPtr = std::unique_ptr<Executor, ExecutorDeleter>;

/// The alignment phase 2 asks of a workspace, in bytes.
constexpr uint64_t kWorkspaceAlignment = 64;

/// Waits until every phase 2 of `executor` is done and its results can be read; at once if it is, as always on a CPU. For CUDA,
/// and OpenCL's memory objects, phase 2 returns before that: what it finds wrong with the tensors' contents (kOutOfRange, as
/// phase 2 would word it) or the device (kDeviceError) is returned here, once, of the first bad run since the last
/// Synchronize. Only the streams of those runs are waited for. Not to be called at the same time as phase 2 of the same
/// executor. kNullArgument.
///
/// Tensors and workspace may be used again meanwhile by work that comes later on the same stream. The first offender is named
/// from what rois and argmax hold now; if they are gone or others, the message says so. An executor that is destroyed without
/// Synchronize takes its errors along.
ROIPOOL_EXPORT Status Synchronize(Executor* executor) noexcept;

/// The kernel that phase 2 will call, e.g. "roi_pool_grad_f32_cpu_channel_blocks_avx512"; "none" for a call with nothing to
/// compute. Lives as long as the program.
ROIPOOL_EXPORT const char* KernelName(const Executor& executor) noexcept;

struct TuningExplanation {
  /// The class of shapes that the call belongs to and where its tuned values come from, e.g. "few_rois: channel_block=8
  /// group_channels=4 prefetch_distance=3, schedules/tuned/x86-64-avx512.rows:4"; empty for a call with nothing to compute.
  char text[256] = {};
};
ROIPOOL_EXPORT TuningExplanation TuningOf(const Executor& executor) noexcept;

/// How many threads phase 2 may use.
ROIPOOL_EXPORT int32_t ThreadCount(const Executor& executor) noexcept;

}  // namespace roipool

#endif  // ROIPOOL_EXECUTOR_H_
