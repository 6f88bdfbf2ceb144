// What the operators are, in the plainest loops. The only place where tests compute an expected result.
#ifndef ROIPOOL_TESTS_SUPPORT_REFERENCE_H_
#define ROIPOOL_TESTS_SUPPORT_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "roipool/options.h"
#include "tensor.h"

namespace roipool::test {

/// The gradient as RoiPoolGrad documents it, bit for bit: each plane summed in ascending roi, then bin order, in float32
/// (float64 for float64), rounded once. `shape` is grad_input's.
Tensor ReferenceGrad(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, const std::vector<int64_t>& shape);

/// The gradient in fixed point as Accumulation::kFixedPoint documents it, bit for bit; where a gradient that counts is not
/// finite, that of ReferenceGrad().
Tensor ReferenceGradInFixedPoint(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois,
                                 const std::vector<int64_t>& shape);

/// The same sums in float64, in row-major order.
std::vector<double> ReferenceGradInDouble(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois,
                                          const std::vector<int64_t>& shape);

struct PoolResult {
  Tensor y, argmax;
};

/// The forward as RoiPool and Geometry document it. Boxes must be so that no product or difference of theirs overflows float32.
PoolResult ReferencePool(const Tensor& x, const Tensor& rois, int64_t pooled_h, int64_t pooled_w, float scale_h, float scale_w,
                         Geometry geometry, RoiLayout roi_layout);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_REFERENCE_H_
