// What belongs to one kernel call: its thread count, its device's queue and its error. Kernels hand it to Halide's runtime as
// their user context, so that calls in one process never meet.
#ifndef ROIPOOL_RUNTIME_CALL_CONTEXT_H_
#define ROIPOOL_RUNTIME_CALL_CONTEXT_H_

#include <atomic>
#include <cstdint>

#include "roipool/status.h"

namespace roipool::internal {

/// Where a GPU's work goes: CUcontext and CUstream, or cl_context and cl_command_queue.
struct DeviceQueue {
  void* context = nullptr;
  void* stream = nullptr;
};

class CallContext {
 public:
  explicit CallContext(int32_t threads, const DeviceQueue& queue = {}) noexcept;
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  int32_t threads() const noexcept { return threads_; }
  const DeviceQueue& queue() const noexcept { return queue_; }
  /// Keeps the first error text; later ones, also from other threads, are dropped.
  void KeepError(const char* text) noexcept;
  /// The first error text; read it after the kernel has returned.
  const char* error() const noexcept { return error_; }

 private:
  int32_t threads_;
  DeviceQueue queue_;
  std::atomic_flag has_error_ = ATOMIC_FLAG_INIT;
  char error_[Status::kMaxMessage + 1] = {};
};

/// A part of a call's work: (call context, index, worker, closure) -> Halide error code. Of the tasks that run at one time no
/// two have the same worker, a number in [0, threads of the call).
using Task = int (*)(CallContext& context, int32_t index, int32_t worker, const void* closure) noexcept;

/// Runs tasks 0 to count - 1 with the call's threads, in any order. Returns the error of the first that failed; those that had
/// not begun by then are left out.
int RunTasks(CallContext& context, int32_t count, Task task, const void* closure) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CALL_CONTEXT_H_
