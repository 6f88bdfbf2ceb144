#include "device_copier.h"

#include <algorithm>
#include <utility>

#include "make_status.h"

namespace roipool::internal {
namespace {

void* ObjectOf(const DeviceMemory& memory) noexcept {
  return reinterpret_cast<void*>(memory.handle);  // NOLINT(performance-no-int-to-ptr): it was one
}

}  // namespace

Status DeviceCopier::Open(const char* function, Device device, const DeviceQueue& queue) noexcept {
  function_ = function;
  device_ = device;
  queue_ = queue;
  return device_ == Device::kCuda ? OpenCudaDriver(function, &cuda_) : OpenOpenClDriver(function, &opencl_);
}

Status DeviceCopier::ToHostLater(const DeviceMemory& from, void* to, int64_t bytes) const noexcept {
  const auto offset = static_cast<size_t>(from.offset), size = static_cast<size_t>(bytes);
  if (device_ == Device::kCuda) {
    const CudaContextScope scope(*cuda_, queue_.context);
    ROIPOOL_RETURN_IF_ERROR(CudaStatus(function_, "cuCtxPushCurrent_v2", scope.error()));
    ROIPOOL_CUDA_CALL(function_, cuda_, cuMemcpyDtoHAsync_v2, (to, from.handle + offset, size, queue_.stream));
    return {};
  }
  void* const object = ObjectOf(from);
  ROIPOOL_OPENCL_CALL(function_, opencl_, clEnqueueReadBuffer,
                      (queue_.stream, object, 0, offset, size, to, 0, nullptr, nullptr));
  return {};
}

Status DeviceCopier::Wait() const noexcept {
  if (device_ == Device::kCuda) {
    const CudaContextScope scope(*cuda_, queue_.context);
    ROIPOOL_RETURN_IF_ERROR(CudaStatus(function_, "cuCtxPushCurrent_v2", scope.error()));
    ROIPOOL_CUDA_CALL(function_, cuda_, cuStreamSynchronize, (queue_.stream));
    return {};
  }
  ROIPOOL_OPENCL_CALL(function_, opencl_, clFinish, (queue_.stream));
  return {};
}

Status DeviceCopier::ToHost(const DeviceMemory& from, void* to, int64_t bytes) const noexcept {
  ROIPOOL_RETURN_IF_ERROR(ToHostLater(from, to, bytes));
  return Wait();
}

Status DeviceCopier::ToDevice(const void* from, const DeviceMemory& to, int64_t bytes) const noexcept {
  void* const object = ObjectOf(to);
  ROIPOOL_OPENCL_CALL(
      function_, opencl_, clEnqueueWriteBuffer,
      (queue_.stream, object, 1, static_cast<size_t>(to.offset), static_cast<size_t>(bytes), from, 0, nullptr, nullptr));
  return {};
}

OpenClBuffer::~OpenClBuffer() {
  if (object_ != nullptr) driver_->clReleaseMemObject(object_);
}

OpenClBuffer::OpenClBuffer(OpenClBuffer&& other) noexcept
    : driver_(other.driver_), object_(std::exchange(other.object_, nullptr)) {}

OpenClBuffer& OpenClBuffer::operator=(OpenClBuffer&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(object_, other.object_);
  return *this;
}

Status OpenClBuffer::Create(const char* function, void* context, int64_t bytes) noexcept {
  ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(function, &driver_));
  int error = 0;
  object_ = driver_->clCreateBuffer(context, 0, static_cast<size_t>(std::max<int64_t>(bytes, 1)), nullptr, &error);
  ROIPOOL_CHECK(error == 0, StatusCode::kOutOfMemory, "%s: clCreateBuffer returned %d for %lld bytes", function, error,
                static_cast<long long>(bytes));
  return {};
}

}  // namespace roipool::internal
