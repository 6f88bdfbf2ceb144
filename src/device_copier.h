// Copies between host and device memory, and memory objects of the library's own.
#ifndef ROIPOOL_SRC_DEVICE_COPIER_H_
#define ROIPOOL_SRC_DEVICE_COPIER_H_

#include <cstdint>

#include "call_context.h"
#include "cuda_driver.h"
#include "device_view.h"
#include "opencl_driver.h"
#include "roipool/options.h"
#include "roipool/status.h"

namespace roipool::internal {

/// CUDA's address or OpenCL's memory object, as the caller gives them.
inline DeviceMemory MemoryOf(const void* data) noexcept { return {reinterpret_cast<uint64_t>(data), 0}; }

/// Works in a queue's order. Of CUDA's, no other stream is waited for.
class DeviceCopier {
 public:
  Status Open(const char* function, Device device, const DeviceQueue& queue) noexcept;

  /// Done once Wait() has returned.
  Status ToHostLater(const DeviceMemory& from, void* to, int64_t bytes) const noexcept;
  /// Waits for all that the queue has.
  Status Wait() const noexcept;
  Status ToHost(const DeviceMemory& from, void* to, int64_t bytes) const noexcept;
  /// OpenCL's; waits.
  Status ToDevice(const void* from, const DeviceMemory& to, int64_t bytes) const noexcept;

 private:
  const char* function_ = nullptr;
  Device device_ = Device::kCpu;
  DeviceQueue queue_;
  const CudaDriver* cuda_ = nullptr;
  const OpenClDriver* opencl_ = nullptr;
};

/// A memory object of OpenCL's. Releasing it leaves it to work that is under way.
class OpenClBuffer {
 public:
  OpenClBuffer() = default;
  ~OpenClBuffer();
  OpenClBuffer(OpenClBuffer&& other) noexcept;
  OpenClBuffer& operator=(OpenClBuffer&& other) noexcept;
  OpenClBuffer(const OpenClBuffer&) = delete;
  OpenClBuffer& operator=(const OpenClBuffer&) = delete;

  Status Create(const char* function, void* context, int64_t bytes) noexcept;
  DeviceMemory memory() const noexcept { return MemoryOf(object_); }

 private:
  const OpenClDriver* driver_ = nullptr;
  void* object_ = nullptr;
};

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_DEVICE_COPIER_H_
