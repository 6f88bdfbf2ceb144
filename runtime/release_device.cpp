#include "HalideRuntimeCuda.h"
#include "HalideRuntimeOpenCL.h"
#include "call_context.h"
#include "cuda_driver.h"
#include "cuda_words.h"
#include "gpu_call.h"
#include "make_status.h"
#include "opencl_driver.h"
#include "roipool/device.h"

namespace roipool {
namespace internal {
namespace {

constexpr const char* kFunction = "ReleaseDevice";

#if ROIPOOL_GPU
Status ReleaseKernels(const DeviceQueue& queue, const halide_device_interface_t* device) noexcept {
  CallContext context(1, queue);
  halide_device_release(&context, device);
  ROIPOOL_CHECK(*context.error() == '\0', StatusCode::kDeviceError, "%s: %s", kFunction, context.error());
  return {};
}

Status ReleaseCuda(DeviceQueue queue) noexcept {
  const CudaDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenCudaDriver(kFunction, &driver));
  if (queue.context == nullptr) ROIPOOL_RETURN_IF_ERROR(CurrentCudaContext(kFunction, "device_context", &queue.context));
  ROIPOOL_RETURN_IF_ERROR(ReleaseCudaWords(kFunction, queue.context));
  return WasLaunched(Device::kCuda) ? ReleaseKernels(queue, halide_cuda_device_interface()) : Status();
}

Status ReleaseOpenCl(void* context) noexcept {
  if (!WasLaunched(Device::kOpenCl)) return {};
  OpenClQueue own;
  if (context == nullptr) {
    ROIPOOL_RETURN_IF_ERROR(OwnOpenClQueue(kFunction, &own));
    return ReleaseKernels({own.context, own.queue}, halide_opencl_device_interface());
  }
  // Halide waits for a queue first: an empty one.
  const OpenClDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(kFunction, &driver));
  void* queue = nullptr;
  ROIPOOL_RETURN_IF_ERROR(NewOpenClQueue(kFunction, context, &queue));
  const Status status = ReleaseKernels({context, queue}, halide_opencl_device_interface());
  driver->clReleaseCommandQueue(queue);
  return status;
}
#else
Status ReleaseCuda(DeviceQueue) noexcept {
  return MakeStatus(StatusCode::kUnsupported, "%s: this library was built without kernels for GPUs", kFunction);
}
Status ReleaseOpenCl(void*) noexcept { return ReleaseCuda({}); }
#endif

}  // namespace
}  // namespace internal

Status ReleaseDevice(Device device, void* device_context) noexcept {
  switch (device) {
    case Device::kCpu:
      return {};
    case Device::kCuda:
      return internal::ReleaseCuda({device_context, nullptr});
    case Device::kOpenCl:
      return internal::ReleaseOpenCl(device_context);
  }
  return internal::MakeStatus(StatusCode::kInvalidArgument, "ReleaseDevice: device is %d, must be one of Device, 0 to 2",
                              static_cast<int>(device));
}

}  // namespace roipool
