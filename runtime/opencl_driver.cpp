#include "opencl_driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "make_status.h"

namespace roipool::internal {
namespace {

// OpenCL's numbers, as its specification gives them.
constexpr uint64_t kDeviceTypeGpu = 1 << 2, kDeviceTypeAll = 0xffffffff;
constexpr unsigned kDeviceExtensions = 0x1030, kContextDevices = 0x1081;
constexpr int kMemObjectAllocationFailure = -4, kOutOfHostMemory = -6, kOutOfResources = -5;

constexpr const char* kWhat = "OpenCL is not available";

struct Opened {
  OpenClDriver driver;
  Status status;
};

Status Open(OpenClDriver* driver) noexcept {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
  ROIPOOL_CHECK(library != nullptr, StatusCode::kUnsupported,
                "%s: %.200s; install an OpenCL loader and a driver, or use Device::kCpu", kWhat, dlerror());
#define ROIPOOL_OPENCL_LOAD(name, result, parameters)                           \
  driver->name = reinterpret_cast<result(*) parameters>(dlsym(library, #name)); \
  ROIPOOL_CHECK(driver->name != nullptr, StatusCode::kUnsupported, "%s: its library has no %s; 1.2 is needed", kWhat, #name);
  ROIPOOL_OPENCL_FUNCTIONS(ROIPOOL_OPENCL_LOAD)
#undef ROIPOOL_OPENCL_LOAD
  return {};
}

// Null unless the device has the 64-bit atomics and float64 that kernels are compiled with.
const char* MissingExtension(const OpenClDriver& driver, void* device) noexcept {
  char extensions[8192] = {};
  if (driver.clGetDeviceInfo(device, kDeviceExtensions, sizeof(extensions) - 1, extensions, nullptr) != 0)
    return "its list of extensions";
  for (const char* needed : {"cl_khr_int64_base_atomics", "cl_khr_fp64"}) {
    if (std::strstr(extensions, needed) == nullptr) return needed;
  }
  return nullptr;
}

Status FindDevice(const char* function, const OpenClDriver& driver, void** device) noexcept {
  void* platforms[16] = {};
  unsigned platform_count = 0;
  const int error = driver.clGetPlatformIDs(16, platforms, &platform_count);
  ROIPOOL_CHECK(error == 0 && platform_count > 0, StatusCode::kUnsupported,
                "%s: %s: there is no platform (%d); install a driver, e.g. PoCL for CPUs", function, kWhat, error);
  const char* missing = nullptr;
  for (const uint64_t type : {kDeviceTypeGpu, kDeviceTypeAll}) {
    for (unsigned p = 0; p < std::min(platform_count, 16u); ++p) {
      void* devices[16] = {};
      unsigned device_count = 0;
      if (driver.clGetDeviceIDs(platforms[p], type, 16, devices, &device_count) != 0) continue;
      for (unsigned d = 0; d < std::min(device_count, 16u); ++d) {
        missing = MissingExtension(driver, devices[d]);
        *device = devices[d];
        if (missing == nullptr) return {};
      }
    }
  }
  ROIPOOL_CHECK(missing == nullptr, StatusCode::kUnsupported, "%s: %s: no device has %s", function, kWhat, missing);
  return MakeStatus(StatusCode::kUnsupported, "%s: %s: no platform has a device", function, kWhat);
}

Status MakeQueue(const char* function, OpenClQueue* queue) noexcept {
  const OpenClDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(function, &driver));
  void* device = nullptr;
  ROIPOOL_RETURN_IF_ERROR(FindDevice(function, *driver, &device));
  int error = 0;
  void* const context = driver->clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  if (error != 0) return OpenClStatus(function, "clCreateContext", error);
  const Status status = NewOpenClQueue(function, context, &queue->queue);
  if (!status.ok()) {
    driver->clReleaseContext(context);
    return status;
  }
  queue->context = context;
  return {};
}

}  // namespace

Status OpenOpenClDriver(const char* function, const OpenClDriver** driver) noexcept {
  static const Opened opened = [] {
    Opened result;
    result.status = Open(&result.driver);
    return result;
  }();
  *driver = &opened.driver;
  ROIPOOL_CHECK(opened.status.ok(), opened.status.code(), "%s: %s", function, opened.status.message());
  return {};
}

Status OwnOpenClQueue(const char* function, OpenClQueue* queue) noexcept {
  static std::mutex mutex;
  static OpenClQueue own;
  const std::lock_guard lock(mutex);
  if (own.queue == nullptr) ROIPOOL_RETURN_IF_ERROR(MakeQueue(function, &own));
  *queue = own;
  return {};
}

Status NewOpenClQueue(const char* function, void* context, void** queue) noexcept {
  const OpenClDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(function, &driver));
  void* devices[16] = {};
  ROIPOOL_OPENCL_CALL(function, driver, clGetContextInfo,
                      (context, kContextDevices, sizeof(devices), static_cast<void*>(devices), nullptr));
  int error = 0;
  *queue = driver->clCreateCommandQueue(context, devices[0], 0, &error);
  if (error != 0) *queue = nullptr;
  return OpenClStatus(function, "clCreateCommandQueue", error);
}

Status OpenClStatus(const char* function, const char* call, int error) noexcept {
  if (error == 0) return {};
  const bool is_memory = error == kMemObjectAllocationFailure || error == kOutOfHostMemory || error == kOutOfResources;
  return MakeStatus(is_memory ? StatusCode::kOutOfMemory : StatusCode::kDeviceError, "%s: %s returned %d", function, call,
                    error);
}

}  // namespace roipool::internal
