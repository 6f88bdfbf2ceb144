#include "device.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "acl/acl_base.h"
#include "error.h"
#include "make_status.h"

namespace roipool::aclnn {
namespace {

struct Found {
  AclCudaDriver cuda;
  AclDevice device;
};

Status OpenDriver(const char* what, AclCudaDriver* driver) noexcept {
  const internal::CudaDriver* opened = nullptr;
  ROIPOOL_RETURN_IF_ERROR(internal::OpenCudaDriver(what, &opened));
  *static_cast<internal::CudaDriver*>(driver) = *opened;
  // The other functions are those of the same library.
  Dl_info library = {};
  void* handle = nullptr;
  if (dladdr(reinterpret_cast<const void*>(opened->cuInit), &library) != 0)
    handle = dlopen(library.dli_fname, RTLD_NOW | RTLD_LOCAL);
  ROIPOOL_CHECK(handle != nullptr, StatusCode::kUnsupported, "%s, but the driver cannot be opened again: %.200s", what,
                dlerror());
#define ROIPOOL_ACLNN_CUDA_LOAD(name)                                                   \
  driver->name = reinterpret_cast<decltype(AclCudaDriver::name)>(dlsym(handle, #name)); \
  ROIPOOL_CHECK(driver->name != nullptr, StatusCode::kUnsupported, "%s, but the driver has no %s; it is too old", what, #name);
  ROIPOOL_ACLNN_CUDA_LOAD(cuMemHostAlloc)
  ROIPOOL_ACLNN_CUDA_LOAD(cuMemFreeHost)
  ROIPOOL_ACLNN_CUDA_LOAD(cuStreamQuery)
#undef ROIPOOL_ACLNN_CUDA_LOAD
  return {};
}

Status Find(AclCudaDriver* driver, AclDevice* device) noexcept {
  const char* name = std::getenv("ROIPOOL_DEVICE");
  if (name == nullptr || *name == '\0' || std::strcmp(name, "cpu") == 0) return {};
  ROIPOOL_CHECK(std::strcmp(name, "cuda") == 0, StatusCode::kInvalidArgument,
                "the environment variable ROIPOOL_DEVICE is \"%.40s\", must be cpu or cuda", name);
  constexpr const char* kWhat = "the environment variable ROIPOOL_DEVICE is \"cuda\"";
  ROIPOOL_RETURN_IF_ERROR(OpenDriver(kWhat, driver));
  int ordinal = 0;
  ROIPOOL_CUDA_CALL(kWhat, driver, cuDeviceGet, (&ordinal, 0));
  ROIPOOL_CUDA_CALL(kWhat, driver, cuDevicePrimaryCtxRetain, (&device->context, ordinal));
  device->cuda = driver;
  device->kind = Device::kCuda;
  return {};
}

}  // namespace

int FindDevice(const char* function, AclDevice* device) noexcept {
  static Found found;
  static const Status status = Find(&found.cuda, &found.device);
  *device = found.device;
  ROIPOOL_ACLNN_CHECK(status.ok(), ACL_ERROR_RT_INVALID_DEVICEID, "%s: %s", function, status.message());
  return ACL_SUCCESS;
}

int FromDriver(const Status& status) noexcept {
  if (status.ok()) return ACL_SUCCESS;
  return Fail(status.code() == StatusCode::kOutOfMemory ? ACL_ERROR_RT_MEMORY_ALLOCATION : ACL_ERROR_RT_INTERNAL_ERROR, "%s",
              status.message());
}

}  // namespace roipool::aclnn
