#include "kernel_registry.h"

#include <limits>
#include <string_view>

#include "generated_words.h"

#define ROIPOOL_DECLARE_roi_pool_grad(symbol)                                                                               \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t, bool, \
                        int32_t, halide_buffer_t*, halide_buffer_t*);
#define ROIPOOL_DECLARE_roi_pool(symbol) \
  extern "C" int symbol(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);
#define ROIPOOL_KERNEL(op, type, schedule, isa, symbol, base_schedule, max_bins, accumulation, reads_channel_vectors) \
  ROIPOOL_DECLARE_##op(symbol)
#define ROIPOOL_TARGET(isa, target)                                                                           \
  extern "C" int roi_pool_edges_##isa(const void*, halide_buffer_t*, float, bool, int32_t, halide_buffer_t*); \
  extern "C" int channel_vectors_16_##isa(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*); \
  extern "C" int channel_vectors_32_##isa(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*); \
  extern "C" int channel_vectors_64_##isa(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);
#include "kernels.inc"
#include "targets.inc"
#undef ROIPOOL_KERNEL
#undef ROIPOOL_TARGET

namespace roipool {
namespace internal {
namespace {

#define ROIPOOL_FUNCTIONS_roi_pool_grad(symbol) Operator::kRoiPoolGrad, symbol, nullptr
#define ROIPOOL_FUNCTIONS_roi_pool(symbol) Operator::kRoiPool, nullptr, symbol
#define ROIPOOL_KERNEL(op, type, schedule, isa, symbol, base_schedule, max_bins, accumulation, reads_channel_vectors) \
  MakeKernel(#symbol, kType_##type, #schedule, #base_schedule, kIsa_##isa, kAccumulation_##accumulation, max_bins,    \
             reads_channel_vectors, ROIPOOL_FUNCTIONS_##op(symbol)),

constexpr Kernel MakeKernel(const char* name, DataType type, const char* schedule, const char* base_schedule, Isa isa,
                            Accumulation accumulation, int64_t max_bins, bool reads_channel_vectors, Operator op,
                            RoiPoolGradFunction roi_pool_grad, RoiPoolFunction roi_pool) {
  const int64_t no_limit = std::numeric_limits<int64_t>::max();
  const int64_t max_extent = std::string_view(base_schedule) == "reference" ? no_limit
                             : reads_channel_vectors                        ? kMaxChannelVectorExtent
                                                                            : kMaxVectorExtent;
  return {name,          op,
          type,          schedule,
          base_schedule, isa,
          accumulation,  max_bins == 0 ? no_limit : max_bins,
          max_extent,    roi_pool_grad,
          roi_pool,      reads_channel_vectors};
}

constexpr Kernel kKernels[] = {
#include "kernels.inc"
};

}  // namespace

std::span<const Kernel> Kernels() noexcept { return kKernels; }

const PoolSteps& PoolStepsOf(Isa wanted) noexcept {
#define ROIPOOL_TARGET(isa, target)                                                                                    \
  static constexpr PoolSteps kSteps_##isa = {roi_pool_edges_##isa, channel_vectors_16_##isa, channel_vectors_32_##isa, \
                                             channel_vectors_64_##isa};                                                \
  if (kIsa_##isa == wanted) return kSteps_##isa;
#include "targets.inc"
#undef ROIPOOL_TARGET
  return kSteps_baseline;
}

}  // namespace internal

const char* DataTypeName(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat32:
      return "f32";
    case DataType::kFloat16:
      return "f16";
    case DataType::kBFloat16:
      return "bf16";
    case DataType::kFloat64:
      return "f64";
    case DataType::kInt32:
      return "i32";
    case DataType::kInt64:
      return "i64";
  }
  return "unknown";
}

const char* AccumulationName(Accumulation accumulation) noexcept {
  return accumulation == Accumulation::kFloat ? "float" : "fixed_point";
}

const char* DeviceName(Device device) noexcept {
  return device == Device::kCpu ? "cpu" : device == Device::kCuda ? "cuda" : "opencl";
}

const char* OperatorName(Operator op) noexcept { return op == Operator::kRoiPoolGrad ? "roi_pool_grad" : "roi_pool"; }

}  // namespace roipool
