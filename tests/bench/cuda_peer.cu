// The steps of the gradient as plain CUDA C++, for dense tensors of at most 2^31 - 1 elements: what one writes first.
// cuda_bench.cpp times them, cuda_instructions.py counts what becomes of them beside what becomes of roipool's kernels.
#include <cuda_fp16.h>

#include <cstdint>

namespace {

struct Shape {
  int entries, channels, bins, pixels, images;
};

__device__ float AsFloat(__half number) { return __half2float(number); }
__device__ float AsFloat(float number) { return number; }
__device__ double AsFloat(double number) { return number; }

__device__ void Round(float number, __half* rounded) {
  *rounded = isnan(number) ? __ushort_as_half(0x7e00) : __float2half_rn(number);
}
__device__ void Round(float number, float* rounded) { *rounded = isnan(number) ? __int_as_float(0x7fc00000) : number; }
__device__ void Round(double number, double* rounded) {
  *rounded = isnan(number) ? __longlong_as_double(0x7ff8000000000000) : number;
}

__device__ int Thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

// The exponent above the largest magnitude's, which is given as bits.
__device__ int ExponentAbove(uint64_t largest, __half) {
  return max(ilogbf(__half2float(__ushort_as_half(static_cast<uint16_t>(largest)))), -14) + 1;
}
__device__ int ExponentAbove(uint64_t largest, float) {
  return max(ilogbf(__uint_as_float(static_cast<uint32_t>(largest))), -126) + 1;
}
__device__ int ExponentAbove(uint64_t largest, double) {
  return max(ilogb(__longlong_as_double(static_cast<int64_t>(largest))), -1022) + 1;
}

template <typename T>
__device__ int FixedPointShift(const uint64_t* largest, int addends_log2) {
  const int shift = 62 - addends_log2 - ExponentAbove(*largest, T());
  return sizeof(T) == 2 ? min(shift, 24) : shift;
}

// Where an entry is added to; null if it is not.
template <typename Sum>
__device__ Sum* Target(int entry, const int32_t* argmax, const int32_t* images, Sum* sum, const Shape& shape) {
  if (entry >= shape.entries) return nullptr;
  const int plane = entry / shape.bins, roi = plane / shape.channels, channel = plane % shape.channels;
  const int pixel = argmax[entry], image = images[roi];
  if (static_cast<unsigned>(pixel) >= static_cast<unsigned>(shape.pixels)) return nullptr;
  if (static_cast<unsigned>(image) >= static_cast<unsigned>(shape.images)) return nullptr;
  return sum + (image * shape.channels + channel) * shape.pixels + pixel;
}

template <typename T, typename Sum>
__device__ void ScatterFloat(const T* grad_output, const int32_t* argmax, const int32_t* images, Sum* sum, const Shape& shape) {
  const int entry = Thread();
  Sum* const target = Target(entry, argmax, images, sum, shape);
  if (target != nullptr) atomicAdd(target, AsFloat(grad_output[entry]));
}

// Rounds half to even, as roipool does: a power of two changes no digit.
template <typename T>
__device__ void ScatterFixedPoint(const T* grad_output, const int32_t* argmax, const int32_t* images, const uint64_t* largest,
                                  int addends_log2, unsigned long long* sum, const Shape& shape) {
  const int entry = Thread();
  unsigned long long* const target = Target(entry, argmax, images, sum, shape);
  if (target == nullptr) return;
  const double scaled = scalbn(static_cast<double>(AsFloat(grad_output[entry])), FixedPointShift<T>(largest, addends_log2));
  atomicAdd(target, static_cast<unsigned long long>(__double2ll_rn(scaled)));
}

template <typename Sum>
__device__ void Zero(Sum* sum, int count) {
  const int i = Thread();
  if (i < count) sum[i] = 0;
}

template <typename T, typename Sum>
__device__ void FinishFloat(const Sum* sum, T* grad_input, int count) {
  const int i = Thread();
  if (i < count) Round(sum[i], grad_input + i);
}

// Rounds twice, to a double and to T; roipool's rounds once.
template <typename T, typename Sum>
__device__ void FinishFixedPoint(const long long* sum, const Sum* float_sum, const uint64_t* largest, uint64_t infinity,
                                 int addends_log2, T* grad_input, int count) {
  const int i = Thread();
  if (i >= count) return;
  const bool is_finite = *largest < infinity;
  const double exact = scalbn(__ll2double_rn(sum[i]), -FixedPointShift<T>(largest, addends_log2));
  Round(is_finite ? static_cast<Sum>(exact) : float_sum[i], grad_input + i);
}

}  // namespace

#define PEER_KERNELS(name, T, Sum)                                                                                             \
  extern "C" __global__ void peer_zero_##name(Sum* sum, int count) { Zero(sum, count); }                                       \
  extern "C" __global__ void peer_scatter_##name(const T* grad_output, const int32_t* argmax, const int32_t* images, Sum* sum, \
                                                 Shape shape) {                                                                \
    ScatterFloat(grad_output, argmax, images, sum, shape);                                                                     \
  }                                                                                                                            \
  extern "C" __global__ void peer_scatter_fixed_point_##name(const T* grad_output, const int32_t* argmax,                      \
                                                             const int32_t* images, const uint64_t* largest, int addends_log2, \
                                                             unsigned long long* sum, Shape shape) {                           \
    ScatterFixedPoint(grad_output, argmax, images, largest, addends_log2, sum, shape);                                         \
  }                                                                                                                            \
  extern "C" __global__ void peer_finish_##name(const Sum* sum, T* grad_input, int count) {                                    \
    FinishFloat(sum, grad_input, count);                                                                                       \
  }                                                                                                                            \
  extern "C" __global__ void peer_finish_fixed_point_##name(const long long* sum, const Sum* float_sum,                        \
                                                            const uint64_t* largest, uint64_t infinity, int addends_log2,      \
                                                            T* grad_input, int count) {                                        \
    FinishFixedPoint(sum, float_sum, largest, infinity, addends_log2, grad_input, count);                                      \
  }

PEER_KERNELS(f16, __half, float)
PEER_KERNELS(f32, float, float)
PEER_KERNELS(f64, double, double)
