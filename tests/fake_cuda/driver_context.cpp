#include "api.h"
#include "driver_state.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

constexpr unsigned kApiVersion = 12000;

void ReleaseAfterWork() {
  if (State().context.references == 1) AllStreams().WaitForAll();
  ReleaseContext();
}

}  // namespace

CUDA_API(cuCtxCreate_v2, (void** context, unsigned flags, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  if (!context_stack.PushBack(&State().context)) return kOutOfMemory;
  State().context.references++;
  State().context.flags = flags;
  *context = &State().context;
  return kSuccess;
}

CUDA_API(cuCtxDestroy_v2, (void* context)) {
  ENTER(kInitialized);
  if (context != &State().context || State().context.references == 0) return kInvalidContext;
  ReleaseAfterWork();
  if (!context_stack.Empty()) context_stack.PopBack();
  return kSuccess;
}

CUDA_API(cuCtxPushCurrent_v2, (void* context)) {
  ENTER(kInitialized);
  if (context != &State().context) return kInvalidContext;
  return context_stack.PushBack(context) ? kSuccess : kOutOfMemory;
}

CUDA_API(cuCtxPopCurrent_v2, (void** context)) {
  ENTER(kInitialized);
  if (context_stack.Empty()) return kInvalidContext;
  if (context != nullptr) *context = context_stack.Back();
  context_stack.PopBack();
  return kSuccess;
}

CUDA_API(cuCtxGetCurrent, (void** context)) {
  ENTER(kInitialized);
  *context = context_stack.Empty() ? nullptr : context_stack.Back();
  return kSuccess;
}

CUDA_API(cuCtxSetCurrent, (void* context)) {
  ENTER(kInitialized);
  if (context != nullptr && context != &State().context) return kInvalidContext;
  if (!context_stack.Empty()) context_stack.PopBack();
  if (context != nullptr) context_stack.PushBack(context);
  return kSuccess;
}

CUDA_API(cuCtxGetDevice, (int* device)) {
  ENTER(kInitialized);
  if (context_stack.Empty()) return kInvalidContext;
  *device = 0;
  return kSuccess;
}

CUDA_API(cuCtxGetFlags, (unsigned* flags)) {
  ENTER(kInitialized);
  if (context_stack.Empty()) return kInvalidContext;
  *flags = State().context.flags;
  return kSuccess;
}

CUDA_API(cuCtxGetApiVersion, (void*, unsigned* version)) {
  ENTER(kInitialized);
  *version = kApiVersion;
  return kSuccess;
}

CUDA_API(cuCtxGetStreamPriorityRange, (int* least, int* greatest)) {
  ENTER(kInitialized);
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return kSuccess;
}

CUDA_API(cuCtxSynchronize, ()) {
  ENTER(kWorkingContext);
  return AllStreams().WaitForAll();
}

CUDA_API(cuDevicePrimaryCtxRetain, (void** context, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  State().context.references++;
  *context = &State().context;
  return kSuccess;
}

CUDA_API(cuDevicePrimaryCtxRelease_v2, (int device)) {
  ENTER(kInitialized);
  if (device != 0 || State().context.references == 0) return kInvalidContext;
  ReleaseAfterWork();
  return kSuccess;
}
