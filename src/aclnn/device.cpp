#include "device.h"

#include <cstdlib>
#include <cstring>

#include "acl/acl_base.h"
#include "error.h"
#include "make_status.h"

namespace roipool::aclnn {
namespace {

struct Found {
  AclDevice device;
  Status status;
};

Status Find(AclDevice* device) noexcept {
  const char* name = std::getenv("ROIPOOL_DEVICE");
  if (name == nullptr || *name == '\0' || std::strcmp(name, "cpu") == 0) return {};
  ROIPOOL_CHECK(std::strcmp(name, "cuda") == 0, StatusCode::kInvalidArgument,
                "the environment variable ROIPOOL_DEVICE is \"%.40s\", must be cpu or cuda", name);
  constexpr const char* kWhat = "the environment variable ROIPOOL_DEVICE is \"cuda\"";
  ROIPOOL_RETURN_IF_ERROR(internal::OpenCudaDriver(kWhat, &device->cuda));
  int ordinal = 0;
  ROIPOOL_CUDA_CALL(kWhat, device->cuda, cuDeviceGet, (&ordinal, 0));
  ROIPOOL_CUDA_CALL(kWhat, device->cuda, cuDevicePrimaryCtxRetain, (&device->context, ordinal));
  device->kind = Device::kCuda;
  return {};
}

}  // namespace

int FindDevice(const char* function, AclDevice* device) noexcept {
  static const Found found = [] {
    Found result;
    result.status = Find(&result.device);
    return result;
  }();
  *device = found.device;
  ROIPOOL_ACLNN_CHECK(found.status.ok(), ACL_ERROR_RT_INVALID_DEVICEID, "%s: %s", function, found.status.message());
  return ACL_SUCCESS;
}

int FromDriver(const Status& status) noexcept {
  if (status.ok()) return ACL_SUCCESS;
  return Fail(status.code() == StatusCode::kOutOfMemory ? ACL_ERROR_RT_MEMORY_ALLOCATION : ACL_ERROR_RT_INTERNAL_ERROR, "%s",
              status.message());
}

}  // namespace roipool::aclnn
