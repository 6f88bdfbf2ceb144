// What fixed point needs to know of a call's gradients. The same on a GPU: generators/number_formats.h.
#ifndef ROIPOOL_SRC_FIXED_POINT_H_
#define ROIPOOL_SRC_FIXED_POINT_H_

#include <cstdint>

#include "roipool/tensor.h"

namespace roipool::internal {

/// The smallest l for which 2^l addends are at least `addends`, which is at least 1.
int32_t AddendsLog2(int64_t addends) noexcept;

struct FixedPointScale {
  bool is_finite = true;  ///< Whether all gradients that count are.
  int32_t shift = 0;      ///< A gradient x is taken as x * 2^shift.
};

/// Looks at the gradients whose argmax is a pixel: what is none never counts, even while another thread changes it. Both
/// tensors are (R, C, PH, PW) with dense planes, argmax is int32.
FixedPointScale FindScale(const TensorView& grad_output, const TensorView& argmax, int64_t pixels, int32_t addends_log2,
                          int32_t threads) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_FIXED_POINT_H_
