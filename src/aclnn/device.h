// Which device the acl API's device memory, streams and operators are on: this computer's CPU, or the first NVIDIA GPU if the
// environment variable ROIPOOL_DEVICE is "cuda".
#ifndef ROIPOOL_SRC_ACLNN_DEVICE_H_
#define ROIPOOL_SRC_ACLNN_DEVICE_H_

#include "cuda_driver.h"
#include "roipool/options.h"

namespace roipool::aclnn {

struct AclDevice {
  Device kind = Device::kCpu;
  const internal::CudaDriver* cuda = nullptr;  ///< Null on the CPU.
  void* context = nullptr;                     ///< CUDA's primary context of device 0.
};

/// The device, which is the same for the whole life of the process. Fails with ACL_ERROR_RT_INVALID_DEVICEID, and the reason as
/// text, if the variable names no device or the device is not there. Thread-safe.
int FindDevice(const char* function, AclDevice* device) noexcept;

/// Keeps the text of an error of the driver and returns the acl code for it; ACL_SUCCESS if there is none.
int FromDriver(const Status& status) noexcept;

}  // namespace roipool::aclnn

/// Calls a function of the driver with the device's context current; hands on the code if it fails.
#define ROIPOOL_ACLNN_CUDA(function, device, call, arguments)                                                            \
  do {                                                                                                                   \
    const ::roipool::internal::CudaContextScope scope_(*(device).cuda, (device).context);                                \
    ROIPOOL_ACLNN_RETURN_IF_FAILED(                                                                                      \
        ::roipool::aclnn::FromDriver(::roipool::internal::CudaStatus(function, "cuCtxPushCurrent_v2", scope_.error()))); \
    ROIPOOL_ACLNN_RETURN_IF_FAILED(                                                                                      \
        ::roipool::aclnn::FromDriver(::roipool::internal::CudaStatus(function, #call, (device).cuda->call arguments)));  \
  } while (false)

#endif  // ROIPOOL_SRC_ACLNN_DEVICE_H_
