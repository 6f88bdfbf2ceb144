#include <chrono>

#include "api.h"
#include "driver_state.h"
#include "report.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

std::shared_ptr<Stream> FindStream(void* handle) {
  auto stream = AllStreams().Find(handle);
  if (stream == nullptr) Complain(Format("%p is no stream, or a destroyed one", handle));
  return stream;
}

Event* FindEvent(void* handle) {
  Event* const event = AllStreams().FindEvent(handle);
  if (event == nullptr) Complain(Format("%p is no event, or a destroyed one", handle));
  return event;
}

}  // namespace

#define ENTER_STREAM(needs, stream) ENTER(needs, "stream %#zx", reinterpret_cast<size_t>(stream))

CUDA_API(cuStreamCreate, (void** stream, unsigned flags)) {
  ENTER(kWorkingContext);
  if (stream == nullptr || flags > kStreamNonBlocking) return kInvalidValue;
  *stream = AllStreams().Create(flags, 0).get();
  return kSuccess;
}

CUDA_API(cuStreamCreateWithPriority, (void** stream, unsigned flags, int priority)) {
  ENTER(kWorkingContext);
  if (stream == nullptr || flags > kStreamNonBlocking) return kInvalidValue;
  *stream = AllStreams().Create(flags, priority).get();
  return kSuccess;
}

CUDA_API(cuStreamDestroy_v2, (void* handle)) {
  ENTER_STREAM(kInitialized, handle);
  if (FindStream(handle) == nullptr) return kInvalidHandle;
  return AllStreams().Destroy(handle) ? kSuccess : kInvalidHandle;
}

CUDA_API(cuStreamSynchronize, (void* handle)) {
  ENTER_STREAM(kWorkingContext, handle);
  const auto stream = FindStream(handle);
  return stream == nullptr ? kInvalidHandle : AllStreams().Wait(stream);
}

CUDA_API(cuStreamQuery, (void* handle)) {
  ENTER_STREAM(kWorkingContext, handle);
  const auto stream = FindStream(handle);
  return stream == nullptr ? kInvalidHandle : AllStreams().Poll(stream);
}

CUDA_API(cuStreamWaitEvent, (void* handle, void* event_handle, unsigned)) {
  ENTER_STREAM(kWorkingContext, handle);
  const auto stream = FindStream(handle);
  const Event* const event = FindEvent(event_handle);
  if (stream == nullptr || event == nullptr) return kInvalidHandle;
  return AllStreams().Submit(stream, [] { return kSuccess; }, event->last);
}

CUDA_API(cuStreamGetCtx, (void* handle, void** context)) {
  ENTER_STREAM(kInitialized, handle);
  if (FindStream(handle) == nullptr) return kInvalidHandle;
  *context = &State().context;
  return kSuccess;
}

CUDA_API(cuStreamGetFlags, (void* handle, unsigned* flags)) {
  ENTER_STREAM(kInitialized, handle);
  const auto stream = FindStream(handle);
  if (stream == nullptr) return kInvalidHandle;
  *flags = stream->flags;
  return kSuccess;
}

CUDA_API(cuStreamGetPriority, (void* handle, int* priority)) {
  ENTER_STREAM(kInitialized, handle);
  const auto stream = FindStream(handle);
  if (stream == nullptr) return kInvalidHandle;
  *priority = stream->priority;
  return kSuccess;
}

CUDA_API(cuLaunchHostFunc, (void* handle, void (*function)(void*), void* argument)) {
  ENTER_STREAM(kWorkingContext, handle);
  const auto stream = FindStream(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (function == nullptr) return kInvalidValue;
  return AllStreams().Submit(stream, [function, argument] {
    State().in_host_function = true;
    function(argument);
    State().in_host_function = false;
    return kSuccess;
  });
}

CUDA_API(cuEventCreate, (void** event, unsigned flags)) {
  ENTER(kWorkingContext);
  if (event == nullptr) return kInvalidValue;
  *event = AllStreams().CreateEvent(flags);
  return kSuccess;
}

CUDA_API(cuEventDestroy_v2, (void* handle)) {
  ENTER(kInitialized);
  if (FindEvent(handle) == nullptr) return kInvalidHandle;
  AllStreams().DestroyEvent(handle);
  return kSuccess;
}

CUDA_API(cuEventRecord, (void* event_handle, void* handle)) {
  ENTER_STREAM(kWorkingContext, handle);
  const auto stream = FindStream(handle);
  Event* const event = FindEvent(event_handle);
  if (stream == nullptr || event == nullptr) return kInvalidHandle;
  return AllStreams().Record(stream, *event);
}

CUDA_API(cuEventSynchronize, (void* handle)) {
  ENTER(kWorkingContext);
  const Event* const event = FindEvent(handle);
  if (event == nullptr) return kInvalidHandle;
  const auto recording = event->last;
  return recording == nullptr ? kSuccess : AllStreams().Wait(*recording);
}

CUDA_API(cuEventQuery, (void* handle)) {
  ENTER(kWorkingContext);
  const Event* const event = FindEvent(handle);
  if (event == nullptr) return kInvalidHandle;
  const auto recording = event->last;
  return recording == nullptr ? kSuccess : AllStreams().Poll(*recording);
}

CUDA_API(cuEventElapsedTime, (float* milliseconds, void* start_handle, void* end_handle)) {
  ENTER(kWorkingContext);
  const Event* const start = FindEvent(start_handle);
  const Event* const end = FindEvent(end_handle);
  if (start == nullptr || end == nullptr || start->last == nullptr || end->last == nullptr) return kInvalidHandle;
  if (((start->flags | end->flags) & kEventDisableTiming) != 0) return kInvalidHandle;
  if (!start->last->done || !end->last->done) return kNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->last->when - start->last->when).count();
  return kSuccess;
}
