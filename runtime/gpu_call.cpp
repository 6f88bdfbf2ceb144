#include "gpu_call.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <tuple>

#include "make_status.h"

namespace roipool::internal {
namespace {

constexpr int64_t kMaxBlockDepth = 64;

// Of a driver's own errors Halide gives the names alone.
bool IsOutOfMemory(int error, const char* text) noexcept {
  if (error == halide_error_code_out_of_memory || error == halide_error_code_device_malloc_failed) return true;
  constexpr const char* kNames[] = {"CUDA_ERROR_OUT_OF_MEMORY", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES",
                                    "CL_OUT_OF_HOST_MEMORY"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [text](const char* name) { return std::strstr(text, name) != nullptr; });
}

std::atomic<bool>& Launched(Device device) noexcept {
  static std::atomic<bool> cuda = false, opencl = false;
  return device == Device::kCuda ? cuda : opencl;
}

}  // namespace

halide_type_t HalideBits(int64_t bits) noexcept { return {halide_type_uint, static_cast<uint8_t>(bits)}; }

int64_t BitsOf(DataType type) noexcept { return HalideType(type).bits; }

int32_t ExponentBits(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat16:
      return 5;
    case DataType::kFloat64:
      return 11;
    case DataType::kInt32:
    case DataType::kInt64:
      return 0;
    default:
      return 8;
  }
}

bool IsContiguous(const TensorLayout& layout) noexcept {
  int64_t stride = 1;
  for (int32_t d = layout.rank - 1; d >= 0; --d) {
    if (layout.shape[d] > 1 && layout.strides[d] != stride) return false;
    stride *= layout.shape[d];
  }
  return true;
}

BlockTile BlockTileOf(const TensorLayout& bins) noexcept {
  const int64_t w = std::min(bins.shape[3], kBlockThreads);
  const int64_t h = std::min(bins.shape[2], kBlockThreads / w);
  const int64_t channels = std::min({bins.shape[1], kBlockThreads / (w * h), kMaxBlockDepth});
  return {static_cast<int32_t>(w), static_cast<int32_t>(h), static_cast<int32_t>(channels)};
}

GpuCall::GpuCall(const char* function, Device device, CallContext& context) noexcept
    : function_(function), device_(device), context_(context) {
  Launched(device).store(true, std::memory_order_relaxed);
}

DeviceView GpuCall::View4(const DeviceTensor& tensor, halide_type_t type) const noexcept {
  const auto& [shape, strides] = std::tie(tensor.layout.shape, tensor.layout.strides);
  return View(tensor.memory, type,
              {{shape[3], strides[3]}, {shape[2], strides[2]}, {shape[1], strides[1]}, {shape[0], strides[0]}});
}

DeviceView GpuCall::RoiUnits(const DeviceTensor& rois) const noexcept {
  const auto& [shape, strides] = std::tie(rois.layout.shape, rois.layout.strides);
  const int64_t units = BitsOf(rois.layout.type) / 16;
  return View(rois.memory, HalideBits(16), {{units, 1}, {shape[1], strides[1] * units}, {shape[0], strides[0] * units}});
}

Status GpuCall::StatusOf(const char* step, int error) const noexcept {
  if (error == halide_error_code_success) return {};
  return MakeStatus(IsOutOfMemory(error, context_.error()) ? StatusCode::kOutOfMemory : StatusCode::kDeviceError,
                    "%s: %s failed with Halide's code %d: %s", function_, step, error, context_.error());
}

bool WasLaunched(Device device) noexcept { return Launched(device).load(std::memory_order_relaxed); }

}  // namespace roipool::internal
