// What the words of the lists in generated/ stand for: kIsa_avx2 is Isa::kAvx2. For the sources that include those lists.
#ifndef ROIPOOL_RUNTIME_GENERATED_WORDS_H_
#define ROIPOOL_RUNTIME_GENERATED_WORDS_H_

#include "roipool/kernels.h"

namespace roipool::internal {

// NOLINTBEGIN(readability-identifier-naming): pasted from a word.
constexpr Operator kOperator_roi_pool_grad = Operator::kRoiPoolGrad, kOperator_roi_pool = Operator::kRoiPool;
constexpr DataType kType_f32 = DataType::kFloat32, kType_f16 = DataType::kFloat16, kType_bf16 = DataType::kBFloat16,
                   kType_f64 = DataType::kFloat64;
constexpr Accumulation kAccumulation_float = Accumulation::kFloat, kAccumulation_fixed_point = Accumulation::kFixedPoint;
constexpr Device kDevice_cuda = Device::kCuda, kDevice_opencl = Device::kOpenCl;
constexpr Isa kIsa_baseline = Isa::kBaseline, kIsa_avx2 = Isa::kAvx2, kIsa_avx512 = Isa::kAvx512;
// NOLINTEND(readability-identifier-naming)

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GENERATED_WORDS_H_
