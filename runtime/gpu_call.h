// What all calls of a GPU's kernels share: views of device memory, threads of a block, and what Halide's codes mean.
#ifndef ROIPOOL_RUNTIME_GPU_CALL_H_
#define ROIPOOL_RUNTIME_GPU_CALL_H_

#include <cstdint>
#include <initializer_list>

#include "call_context.h"
#include "device_view.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// A tensor in device memory.
struct DeviceTensor {
  DeviceMemory memory;  ///< Of element (0, 0, ...).
  TensorLayout layout;
};

/// One of these bits is set in a call's state if its contents are bad. The others may say more.
constexpr uint64_t kFoundBadContents = ~uint64_t{0x7fffffff};

constexpr int64_t kBlockThreads = 256;

/// Numbers whose type a kernel does not know.
halide_type_t HalideBits(int64_t bits) noexcept;
int64_t BitsOf(DataType type) noexcept;
/// Of an IEEE 754 format; 0 for an integer.
int32_t ExponentBits(DataType type) noexcept;

/// Whether the elements lie side by side, the last dimension's next to each other. The sizes have been checked.
bool IsContiguous(const TensorLayout& layout) noexcept;

/// The threads of a block: bins of a roi, and channels.
struct BlockTile {
  int32_t w, h, channels;
};

/// For tensors of (rois, channels, pooled_h, pooled_w).
BlockTile BlockTileOf(const TensorLayout& bins) noexcept;

class GpuCall {
 public:
  GpuCall(const char* function, Device device, CallContext& context) noexcept;

  CallContext* context() const noexcept { return &context_; }
  Device device() const noexcept { return device_; }

  DeviceView View(const DeviceMemory& memory, halide_type_t type,
                  std::initializer_list<HalideDimension> dimensions) const noexcept {
    return {context_, device_, memory, type, dimensions};
  }
  /// Of four dimensions.
  DeviceView View4(const DeviceTensor& tensor, halide_type_t type) const noexcept;
  /// (unit, column, roi): numbers of any type as 16-bit units.
  DeviceView RoiUnits(const DeviceTensor& rois) const noexcept;

  Status StatusOf(const char* step, int error) const noexcept;

 private:
  const char* function_;
  Device device_;
  CallContext& context_;
};

/// Whether a kernel of the device was called in this process. Only then Halide's runtime has opened the driver.
bool WasLaunched(Device device) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_CALL_H_
