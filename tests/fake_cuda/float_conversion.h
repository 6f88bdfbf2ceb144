#ifndef ROIPOOL_TESTS_FAKE_CUDA_FLOAT_CONVERSION_H_
#define ROIPOOL_TESTS_FAKE_CUDA_FLOAT_CONVERSION_H_

#include <cstdint>

namespace roipool::fake_cuda {

double HalfToDouble(uint16_t half);
// Rounds in the current rounding mode.
uint16_t DoubleToHalf(double value);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_FLOAT_CONVERSION_H_
