#include "call_context.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "HalideRuntime.h"
#include "device_hooks.h"

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

// The tasks of one loop, from which as many workers as the call has threads take them. run(index, worker) runs one.
template <typename Run>
struct TaskQueue {
  const Run& run;
  // 64 bits: every worker counts once beyond the end.
  int64_t end;
  std::atomic<int64_t> next;
  std::atomic<int> error = 0;

  static int Drain(void*, int worker, uint8_t* closure) noexcept {
    auto& queue = *reinterpret_cast<TaskQueue*>(closure);
    while (queue.error.load(std::memory_order_relaxed) == 0) {
      const int64_t index = queue.next.fetch_add(1, std::memory_order_relaxed);
      if (index >= queue.end) break;
      const int result = queue.run(static_cast<int32_t>(index), worker);
      if (result != 0) queue.error.store(result, std::memory_order_relaxed);
    }
    return queue.error.load(std::memory_order_relaxed);
  }
};

template <typename Run>
int RunQueue(CallContext* context, int32_t min, int32_t count, const Run& run) noexcept {
  TaskQueue<Run> queue = {run, int64_t{min} + count, min};
  auto* closure = reinterpret_cast<uint8_t*>(&queue);
  const int32_t threads = std::min(context == nullptr ? 1 : context->threads(), count);
  if (threads <= 1) return TaskQueue<Run>::Drain(context, 0, closure);
  GrowPool(threads);
  return halide_default_do_par_for(context, TaskQueue<Run>::Drain, 0, threads, closure);
}

// Halide's parallel loops, inside a kernel.
int ParallelFor(void* user_context, halide_task_t task, int min, int size, uint8_t* closure) noexcept {
  return RunQueue(static_cast<CallContext*>(user_context), min, size,
                  [&](int32_t index, int32_t) noexcept { return task(user_context, index, closure); });
}

}  // namespace

CallContext::CallContext(int32_t threads, const DeviceQueue& queue) noexcept : threads_(threads), queue_(queue) {
  // The runtime that these settings belong to is this library's own; no other library in the process shares it.
  static const bool installed = [] {
    halide_set_error_handler(OnError);
    halide_set_custom_do_par_for(ParallelFor);
    InstallDeviceHooks();
    return true;
  }();
  static_cast<void>(installed);
}

int RunTasks(CallContext& context, int32_t count, Task task, const void* closure) noexcept {
  return RunQueue(&context, 0, count,
                  [&](int32_t index, int32_t worker) noexcept { return task(context, index, worker, closure); });
}

void CallContext::KeepError(const char* text) noexcept {
  if (has_error_.test_and_set()) return;
  std::snprintf(error_, sizeof(error_), "%s", text);
}

}  // namespace roipool::internal
