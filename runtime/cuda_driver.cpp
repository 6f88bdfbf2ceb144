#include "cuda_driver.h"

#include <dlfcn.h>

#include "make_status.h"

namespace roipool::internal {
namespace {

constexpr int kCudaOutOfMemory = 2;

struct OpenedDriver {
  CudaDriver driver;
  Status status;
};

Status Open(CudaDriver* driver) noexcept {
  constexpr const char* kWhat = "CUDA is not available";
  // Never closed: modules and contexts of the driver live as long as the process.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
  ROIPOOL_CHECK(library != nullptr, StatusCode::kUnsupported, "%s: %.200s; install NVIDIA's driver or use Device::kCpu", kWhat,
                dlerror());
#define ROIPOOL_CUDA_LOAD(name, parameters)                                  \
  driver->name = reinterpret_cast<int(*) parameters>(dlsym(library, #name)); \
  ROIPOOL_CHECK(driver->name != nullptr, StatusCode::kUnsupported, "%s: the driver has no %s; it is too old", kWhat, #name);
  ROIPOOL_CUDA_FUNCTIONS(ROIPOOL_CUDA_LOAD)
#undef ROIPOOL_CUDA_LOAD
  int count = 0;
  int error = driver->cuInit(0);
  if (error == 0) error = driver->cuDeviceGetCount(&count);
  if (error != 0) {
    const char* name = nullptr;
    if (driver->cuGetErrorName(error, &name) != 0 || name == nullptr) name = "an unknown error";
    return MakeStatus(StatusCode::kUnsupported, "%s: the driver says %s (%d)", kWhat, name, error);
  }
  ROIPOOL_CHECK(count > 0, StatusCode::kUnsupported, "%s: there is no device", kWhat);
  return {};
}

}  // namespace

Status OpenCudaDriver(const char* function, const CudaDriver** driver) noexcept {
  static const OpenedDriver opened = [] {
    OpenedDriver result;
    result.status = Open(&result.driver);
    return result;
  }();
  *driver = &opened.driver;
  ROIPOOL_CHECK(opened.status.ok(), opened.status.code(), "%s: %s", function, opened.status.message());
  return {};
}

Status CurrentCudaContext(const char* function, const char* option, void** context) noexcept {
  const CudaDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenCudaDriver(function, &driver));
  ROIPOOL_CUDA_CALL(function, driver, cuCtxGetCurrent, (context));
  ROIPOOL_CHECK(*context != nullptr, StatusCode::kInvalidState,
                "%s: no CUDA context is current in this thread; make one current or set %s", function, option);
  return {};
}

Status CudaStatus(const char* function, const char* call, int error) noexcept {
  if (error == 0) return {};
  const CudaDriver* driver = nullptr;
  const char* name = nullptr;
  const bool is_named = OpenCudaDriver(function, &driver).ok() && driver->cuGetErrorName(error, &name) == 0 && name != nullptr;
  return MakeStatus(error == kCudaOutOfMemory ? StatusCode::kOutOfMemory : StatusCode::kDeviceError, "%s: %s returned %s (%d)",
                    function, call, is_named ? name : "an unknown error", error);
}

}  // namespace roipool::internal
