// A typed view of generated/gpu_kernels.inc: the kernels of GPUs, and the steps around them.
#ifndef ROIPOOL_RUNTIME_GPU_KERNEL_REGISTRY_H_
#define ROIPOOL_RUNTIME_GPU_KERNEL_REGISTRY_H_

#include <cstdint>
#include <span>

#include "roipool/kernels.h"

struct halide_buffer_t;

namespace roipool::internal {

/// Every one takes the call context first and returns Halide's error code; see generators/gpu_steps_generator.cpp,
/// generators/gpu_pool_edges_generator.cpp, generators/roi_pool_grad_gpu_generator.h and generators/roi_pool_gpu_generator.h.
/// (grad_output, argmax, images, state, addends_log2, tile_w, tile_h, tile_channels, sum, and float_sum in fixed point or
/// found_bad in floats)
using GpuScatterFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t,
                                   int32_t, int32_t, int32_t, halide_buffer_t*, halide_buffer_t*);
/// (x, columns, rows, images, tile_w, tile_h, tile_channels, y, argmax)
using GpuPoolFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t,
                                int32_t, int32_t, halide_buffer_t*, halide_buffer_t*);
/// (rois, exponent_bits, begin_column, end_column, images, spatial_scale, rounds_corners, size, edges)
using GpuPoolEdgesFunction = int (*)(const void*, halide_buffer_t*, int32_t, int32_t, int32_t, halide_buffer_t*, double, bool,
                                     int32_t, halide_buffer_t*);
/// (rois, exponent_bits, image_count, images)
using GpuImagesFunction = int (*)(const void*, halide_buffer_t*, int32_t, int32_t, halide_buffer_t*);
/// (argmax, exponent_bits, converted)
using GpuArgmaxFunction = int (*)(const void*, halide_buffer_t*, int32_t, halide_buffer_t*);
/// (grad_output, argmax, pixels, parts)
using GpuInspectFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, int32_t, halide_buffer_t*);
/// (parts, images, state)
using GpuVerdictFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);
/// (state, infinity, words)
using GpuZeroFunction = int (*)(const void*, halide_buffer_t*, uint64_t, halide_buffer_t*);
/// (sum, float_sum, state, addends_log2, is_aligned, grad_input)
using GpuFinishFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, int32_t, bool,
                                  halide_buffer_t*);

struct GpuKernel {
  const char* name;
  Operator op;
  Device device;
  DataType type;
  const char* schedule;
  Accumulation accumulation;   ///< The gradient's.
  int64_t max_pixels;          ///< Of a plane.
  bool writes_sums;            ///< The gradient's: else it adds to them.
  GpuScatterFunction scatter;  ///< The gradient's.
  GpuPoolFunction pool;        ///< The forward's.
};

/// What is common to the gradient's kernels of a device.
struct GpuSteps {
  GpuImagesFunction images;
  GpuArgmaxFunction argmax;
  GpuZeroFunction zero, zero_if_not_finite;
  GpuInspectFunction inspect_16, inspect_32, inspect_64;  ///< By the bits of a gradient.
  GpuVerdictFunction verdict;
};

/// The steps before the forward's kernels of a device.
struct GpuPoolSteps {
  GpuImagesFunction images_of_boxes;
  GpuPoolEdgesFunction edges;
  GpuVerdictFunction verdict;
};

/// All of them, each device's in order of preference. Empty in a build without them.
std::span<const GpuKernel> GpuKernels() noexcept;

/// Null in a build without them.
const GpuSteps* StepsOf(Device device) noexcept;
const GpuPoolSteps* GpuPoolStepsOf(Device device) noexcept;
GpuFinishFunction FinishOf(Device device, DataType type, Accumulation accumulation) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_GPU_KERNEL_REGISTRY_H_
