// A typed view of generated/kernels.inc, the list of all compiled kernels.
#ifndef ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_
#define ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_

#include <cstdint>
#include <span>

#include "kernel_layout.h"
#include "roipool/kernels.h"

struct halide_buffer_t;

namespace roipool::internal {

/// (call context, grad_output, argmax, order, images, prefetch_distance, allows_non_finite, fixed_point_shift, sum, grad_input)
/// -> Halide error code; see generators/README.md.
using RoiPoolGradFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                                    int32_t, bool, int32_t, halide_buffer_t*, halide_buffer_t*);

/// (call context, x, columns, rows, y, argmax) -> Halide error code.
using RoiPoolFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                                halide_buffer_t*);

/// (call context, corners, spatial_scale, rounds_corners, size, edges) -> Halide error code.
using PoolEdgesFunction = int (*)(const void*, halide_buffer_t*, float, bool, int32_t, halide_buffer_t*);

/// (call context, x, tiles, vectors) -> Halide error code.
using ChannelVectorsFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);

/// Loops in vectors or blocks count in 32 bits up to the end of their last one, which may lie beyond the dimension's. Kernels
/// of every schedule but `reference` take no more than this, which leaves 4096 to go beyond.
constexpr int64_t kMaxVectorExtent = INT64_C(0x7fffffff) - 4096;

/// A map of channel vectors has strides of as many pixels, times the channels of a vector.
constexpr int64_t kMaxChannelVectorExtent = kMaxVectorExtent / kChannelVector;

struct Kernel {
  const char* name;
  Operator op;
  DataType type;
  const char* schedule;       ///< With the knobs that differ from its defaults, e.g. "cpu_channel_blocks_bins_per_step4".
  const char* base_schedule;  ///< Without them.
  Isa isa;
  Accumulation accumulation;
  int64_t max_bins;                   ///< Of a roi.
  int64_t max_extent;                 ///< Of any dimension of a tensor; see kMaxVectorExtent.
  RoiPoolGradFunction roi_pool_grad;  ///< Null unless op is kRoiPoolGrad.
  RoiPoolFunction roi_pool;           ///< Null unless op is kRoiPool.
  bool reads_channel_vectors;         ///< Channels of x are side by side, by multiples of kChannelVector.
};

/// All kernels, in order of preference.
std::span<const Kernel> Kernels() noexcept;

/// What is computed before a kernel of the forward: see generators/roi_pool_steps_generator.cpp.
struct PoolSteps {
  PoolEdgesFunction edges;
  ChannelVectorsFunction channel_vectors_16, channel_vectors_32, channel_vectors_64;  ///< By the bits of an element.
};

const PoolSteps& PoolStepsOf(Isa isa) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_
