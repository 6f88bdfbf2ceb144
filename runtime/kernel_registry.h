// A typed view of generated/kernels.inc, the list of all compiled kernels.
#ifndef ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_
#define ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_

#include <cstdint>
#include <span>

#include "roipool/kernels.h"

struct halide_buffer_t;

namespace roipool::internal {

/// (call context, grad_output, argmax, order, images, prefetch_distance, allows_non_finite, sum, grad_input) -> Halide error
/// code; see generators/README.md.
using RoiPoolGradFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                                    int32_t, bool, halide_buffer_t*, halide_buffer_t*);

/// (call context, x, boxes, images, spatial_scale_h, spatial_scale_w, rounds_corners, pooled_h, pooled_w, y, argmax) -> Halide
/// error code.
using RoiPoolFunction = int (*)(const void*, halide_buffer_t*, halide_buffer_t*, halide_buffer_t*, float, float, bool, int32_t,
                                int32_t, halide_buffer_t*, halide_buffer_t*);

struct Kernel {
  const char* name;
  Operator op;
  DataType type;
  const char* schedule;
  Isa isa;
  int64_t max_bins;                   ///< Of a roi.
  RoiPoolGradFunction roi_pool_grad;  ///< Null unless op is kRoiPoolGrad.
  RoiPoolFunction roi_pool;           ///< Null unless op is kRoiPool.
};

/// All kernels, in order of preference.
std::span<const Kernel> Kernels() noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_KERNEL_REGISTRY_H_
