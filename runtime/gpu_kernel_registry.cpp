#include "gpu_kernel_registry.h"

#include <limits>

#include "generated_words.h"

#define ROIPOOL_GPU_GRAD_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums)                         \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t, int32_t, \
                        int32_t, int32_t, halide_buffer_t*, halide_buffer_t*);
#define ROIPOOL_GPU_INSPECT(symbol) \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, int32_t, halide_buffer_t*);
#define ROIPOOL_GPU_ZERO(symbol) extern "C" int symbol(const void*, halide_buffer_t*, uint64_t, halide_buffer_t*);
#define ROIPOOL_GPU_IMAGES(symbol) extern "C" int symbol(const void*, halide_buffer_t*, int32_t, int32_t, halide_buffer_t*);
#define ROIPOOL_GPU_GRAD_STEPS(device)                                                                    \
  ROIPOOL_GPU_IMAGES(gpu_images_##device)                                                                 \
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
#define ROIPOOL_GPU_POOL_KERNEL(device, type, schedule, symbol)                                                                \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t, int32_t, \
                        int32_t, halide_buffer_t*, halide_buffer_t*);
#define ROIPOOL_GPU_POOL_STEPS(device)                                                                                       \
  ROIPOOL_GPU_IMAGES(gpu_images_of_boxes_##device)                                                                           \
  extern "C" int gpu_pool_edges_##device(const void*, halide_buffer_t*, int32_t, int32_t, int32_t, halide_buffer_t*, double, \
                                         bool, int32_t, halide_buffer_t*);
#include "gpu_kernels.inc"

namespace roipool::internal {
namespace {

constexpr int64_t kAnyPixels = std::numeric_limits<int64_t>::max();
constexpr int64_t MaxPixels(int64_t listed) { return listed == 0 ? kAnyPixels : listed; }

// The last one of each list here is no entry: there may be none.
#define ROIPOOL_GPU_GRAD_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums) \
  {#symbol,                                                                                            \
   Operator::kRoiPoolGrad,                                                                             \
   kDevice_##device,                                                                                   \
   kType_##type,                                                                                       \
   #schedule,                                                                                          \
   kAccumulation_##accumulation,                                                                       \
   MaxPixels(max_pixels),                                                                              \
   (writes_sums) != 0,                                                                                 \
   symbol,                                                                                             \
   nullptr},
#define ROIPOOL_GPU_POOL_KERNEL(device, type, schedule, symbol)                                                              \
  {#symbol, Operator::kRoiPool, kDevice_##device, kType_##type, #schedule, Accumulation::kFloat, kAnyPixels, false, nullptr, \
   symbol},
constexpr GpuKernel kKernels[] = {
#include "gpu_kernels.inc"
    {}};

template <typename Steps>
struct OfDevice {
  Device device;
  Steps steps;
};

template <typename Steps, size_t count>
const Steps* FindSteps(const OfDevice<Steps> (&list)[count], Device device) noexcept {
  for (size_t i = 0; i + 1 < count; ++i) {
    if (list[i].device == device) return &list[i].steps;
  }
  return nullptr;
}

#define ROIPOOL_GPU_GRAD_STEPS(device)                                                                                     \
  {kDevice_##device,                                                                                                       \
   {gpu_images_##device, gpu_argmax_##device, gpu_zero_##device, gpu_zero_if_not_finite_##device, gpu_inspect_16_##device, \
    gpu_inspect_32_##device, gpu_inspect_64_##device, gpu_verdict_##device}},
constexpr OfDevice<GpuSteps> kSteps[] = {
#include "gpu_kernels.inc"
    {}};

#define ROIPOOL_GPU_POOL_STEPS(device) \
  {kDevice_##device, {gpu_images_of_boxes_##device, gpu_pool_edges_##device, gpu_verdict_##device}},
constexpr OfDevice<GpuPoolSteps> kPoolSteps[] = {
#include "gpu_kernels.inc"
    {}};

struct Finish {
  Device device;
  DataType type;
  GpuFinishFunction float_sums, fixed_point;
};

#define ROIPOOL_GPU_FINISH(device, type) \
  {kDevice_##device, kType_##type, gpu_finish_##type##_float_##device, gpu_finish_##type##_fixed_point_##device},
constexpr Finish kFinishes[] = {
#include "gpu_kernels.inc"
    {}};

}  // namespace

std::span<const GpuKernel> GpuKernels() noexcept { return std::span(kKernels).first(std::size(kKernels) - 1); }

const GpuSteps* StepsOf(Device device) noexcept { return FindSteps(kSteps, device); }

const GpuPoolSteps* GpuPoolStepsOf(Device device) noexcept { return FindSteps(kPoolSteps, device); }

GpuFinishFunction FinishOf(Device device, DataType type, Accumulation accumulation) noexcept {
  for (const Finish& entry : kFinishes) {
    if (entry.device == device && entry.type == type) {
      return accumulation == Accumulation::kFloat ? entry.float_sums : entry.fixed_point;
    }
  }
  return nullptr;
}

}  // namespace roipool::internal
