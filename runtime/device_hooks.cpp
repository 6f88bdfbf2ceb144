#include "device_hooks.h"

#include <dlfcn.h>

#include <cstring>

#include "HalideRuntime.h"
#include "HalideRuntimeCuda.h"
#include "call_context.h"

namespace roipool::internal {
namespace {

const DeviceQueue& QueueOf(void* user_context) noexcept {
  static constexpr DeviceQueue kNone;
  return user_context == nullptr ? kNone : static_cast<const CallContext*>(user_context)->queue();
}

#if ROIPOOL_GPU
int AcquireCudaContext(void* user_context, void** context, bool) noexcept {
  *context = QueueOf(user_context).context;
  return 0;
}

int ReleaseCudaContext(void*) noexcept { return 0; }

int GetCudaStream(void* user_context, void*, void** stream) noexcept {
  *stream = QueueOf(user_context).stream;
  return 0;
}

// Halide asks for libcuda.so, which only packages for developers install.
void* LoadDriver(const char* name) noexcept {
  if (std::strcmp(name, "libcuda.so") == 0) {
    if (void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return halide_default_load_library(name);
}
#endif

}  // namespace

void InstallDeviceHooks() noexcept {
#if ROIPOOL_GPU
  halide_set_cuda_acquire_context(AcquireCudaContext);
  halide_set_cuda_release_context(ReleaseCudaContext);
  halide_set_cuda_get_stream(GetCudaStream);
  halide_set_custom_load_library(LoadDriver);
#endif
}

}  // namespace roipool::internal

#if ROIPOOL_GPU
// Halide's own are weak; there is no setter for these two.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int halide_acquire_cl_context(void* user_context, void** context, void** queue, bool) noexcept {
  const roipool::internal::DeviceQueue& own = roipool::internal::QueueOf(user_context);
  *context = own.context;
  *queue = own.stream;
  return own.context == nullptr ? halide_error_code_generic_error : halide_error_code_success;
}

extern "C" int halide_release_cl_context(void*) noexcept { return halide_error_code_success; }
// NOLINTEND(readability-identifier-naming)
#endif
