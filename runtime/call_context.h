// What belongs to one kernel call: its thread count and its error. Kernels hand it to Halide's runtime as their user context,
// so that calls in one process never meet.
#ifndef ROIPOOL_RUNTIME_CALL_CONTEXT_H_
#define ROIPOOL_RUNTIME_CALL_CONTEXT_H_

#include <atomic>
#include <cstdint>

#include "roipool/status.h"

namespace roipool::internal {

class CallContext {
 public:
  explicit CallContext(int32_t threads) noexcept;
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  int32_t threads() const noexcept { return threads_; }
  /// Keeps the first error text; later ones, also from other threads, are dropped.
  void KeepError(const char* text) noexcept;
  /// The first error text; read it after the kernel has returned.
  const char* error() const noexcept { return error_; }

 private:
  int32_t threads_;
  std::atomic_flag has_error_ = ATOMIC_FLAG_INIT;
  char error_[Status::kMaxMessage + 1] = {};
};

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CALL_CONTEXT_H_
