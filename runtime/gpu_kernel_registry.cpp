#include "gpu_kernel_registry.h"

#include <limits>

#include "generated_words.h"

#define ROIPOOL_GPU_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums)                              \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t, int32_t, \
                        int32_t, int32_t, halide_buffer_t*, halide_buffer_t*);
#define ROIPOOL_GPU_INSPECT(symbol) \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, int32_t, halide_buffer_t*);
#define ROIPOOL_GPU_ZERO(symbol) extern "C" int symbol(const void*, halide_buffer_t*, uint64_t, halide_buffer_t*);
#define ROIPOOL_GPU_STEPS(device)                                                                         \
  extern "C" int gpu_images_##device(const void*, halide_buffer_t*, int32_t, int32_t, halide_buffer_t*);  \
  extern "C" int gpu_argmax_##device(const void*, halide_buffer_t*, int32_t, halide_buffer_t*);           \
  ROIPOOL_GPU_ZERO(gpu_zero_##device)                                                                     \
  ROIPOOL_GPU_ZERO(gpu_zero_if_not_finite_##device)                                                       \
  extern "C" int gpu_verdict_##device(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*); \
  ROIPOOL_GPU_INSPECT(gpu_inspect_16_##device)                                                            \
  ROIPOOL_GPU_INSPECT(gpu_inspect_32_##device)                                                            \
  ROIPOOL_GPU_INSPECT(gpu_inspect_64_##device)
#define ROIPOOL_GPU_FINISH(device, type)                                                                                     \
  extern "C" int gpu_finish_##type##_float_##device(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,       \
                                                    int32_t, bool, halide_buffer_t*);                                        \
  extern "C" int gpu_finish_##type##_fixed_point_##device(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, \
                                                          int32_t, bool, halide_buffer_t*);
#include "gpu_kernels.inc"
#undef ROIPOOL_GPU_KERNEL
#undef ROIPOOL_GPU_STEPS
#undef ROIPOOL_GPU_FINISH

namespace roipool::internal {
namespace {

constexpr int64_t MaxPixels(int64_t listed) { return listed == 0 ? std::numeric_limits<int64_t>::max() : listed; }

// The last one of each is no kernel: there may be none.
#define ROIPOOL_GPU_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums)                             \
  {#symbol, kDevice_##device, kType_##type, #schedule, kAccumulation_##accumulation, MaxPixels(max_pixels), writes_sums != 0, \
   symbol},
#define ROIPOOL_GPU_STEPS(device)
#define ROIPOOL_GPU_FINISH(device, type)
constexpr GpuKernel kKernels[] = {
#include "gpu_kernels.inc"
    {}};
#undef ROIPOOL_GPU_KERNEL
#undef ROIPOOL_GPU_STEPS

struct DeviceSteps {
  Device device;
  GpuSteps steps;
};

#define ROIPOOL_GPU_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums)
#define ROIPOOL_GPU_STEPS(device)                                                                                          \
  {kDevice_##device,                                                                                                       \
   {gpu_images_##device, gpu_argmax_##device, gpu_zero_##device, gpu_zero_if_not_finite_##device, gpu_inspect_16_##device, \
    gpu_inspect_32_##device, gpu_inspect_64_##device, gpu_verdict_##device}},
constexpr DeviceSteps kSteps[] = {
#include "gpu_kernels.inc"
    {}};
#undef ROIPOOL_GPU_STEPS
#undef ROIPOOL_GPU_FINISH

struct Finish {
  Device device;
  DataType type;
  GpuFinishFunction float_sums, fixed_point;
};

#define ROIPOOL_GPU_STEPS(device)
#define ROIPOOL_GPU_FINISH(device, type) \
  {kDevice_##device, kType_##type, gpu_finish_##type##_float_##device, gpu_finish_##type##_fixed_point_##device},
constexpr Finish kFinishes[] = {
#include "gpu_kernels.inc"
    {}};

}  // namespace

std::span<const GpuKernel> GpuKernels() noexcept { return std::span(kKernels).first(std::size(kKernels) - 1); }

const GpuSteps* StepsOf(Device device) noexcept {
  for (const DeviceSteps& entry : kSteps) {
    if (entry.device == device && entry.steps.images != nullptr) return &entry.steps;
  }
  return nullptr;
}

GpuFinishFunction FinishOf(Device device, DataType type, Accumulation accumulation) noexcept {
  for (const Finish& entry : kFinishes) {
    if (entry.device == device && entry.type == type) {
      return accumulation == Accumulation::kFloat ? entry.float_sums : entry.fixed_point;
    }
  }
  return nullptr;
}

}  // namespace roipool::internal
