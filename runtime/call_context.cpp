#include "call_context.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "HalideRuntime.h"

namespace roipool::internal {
namespace {

void OnError(void* user_context, const char* text) noexcept {
  if (user_context != nullptr) static_cast<CallContext*>(user_context)->KeepError(text);
}

// Halide's pool is made as large as the largest call asks for; how much of it one call may use is decided per call.
void GrowPool(int32_t threads) noexcept {
  static std::mutex mutex;
  static int32_t pool_threads = 0;
  const std::lock_guard lock(mutex);
  if (threads <= pool_threads) return;
  halide_set_num_threads(threads);
  pool_threads = threads;
}

struct TaskQueue {
  halide_task_t task;
  uint8_t* closure;
  int end;
  std::atomic<int> next;
  std::atomic<int> error;

  int Drain(void* user_context) noexcept {
    while (error.load(std::memory_order_relaxed) == 0) {
      const int index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= end) break;
      const int result = task(user_context, index, closure);
      if (result != 0) error.store(result, std::memory_order_relaxed);
    }
    return error.load(std::memory_order_relaxed);
  }
};

int DrainQueue(void* user_context, int, uint8_t* queue) noexcept {
  return reinterpret_cast<TaskQueue*>(queue)->Drain(user_context);
}

// The call's tasks wait in a queue, from which as many workers as the call has threads take them.
int ParallelFor(void* user_context, halide_task_t task, int min, int size, uint8_t* closure) noexcept {
  const int32_t threads = std::min(user_context == nullptr ? 1 : static_cast<CallContext*>(user_context)->threads(), size);
  TaskQueue queue{task, closure, min + size, min, 0};
  if (threads <= 1) return queue.Drain(user_context);
  GrowPool(threads);
  return halide_default_do_par_for(user_context, DrainQueue, 0, threads, reinterpret_cast<uint8_t*>(&queue));
}

}  // namespace

CallContext::CallContext(int32_t threads) noexcept : threads_(threads) {
  // The runtime that these settings belong to is this library's own; no other library in the process shares it.
  static const bool installed = [] {
    halide_set_error_handler(OnError);
    halide_set_custom_do_par_for(ParallelFor);
    return true;
  }();
  static_cast<void>(installed);
}

void CallContext::KeepError(const char* text) noexcept {
  if (has_error_.test_and_set()) return;
  std::snprintf(error_, sizeof(error_), "%s", text);
}

}  // namespace roipool::internal
