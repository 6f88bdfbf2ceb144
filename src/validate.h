// What phase 1 checks before it plans: every argument of an operator, metadata only.
#ifndef ROIPOOL_SRC_VALIDATE_H_
#define ROIPOOL_SRC_VALIDATE_H_

#include <cstdint>

#include "names.h"
#include "roipool/options.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "roipool/status.h"

namespace roipool::internal {

/// The sizes of one call, shared by the gradient and the forward. Each, and each product below, fits in 31 bits.
struct Dims {
  int64_t rois = 0, channels = 0, pooled_h = 0, pooled_w = 0;
  int64_t images = 0, height = 0, width = 0;

  int64_t bins() const noexcept { return pooled_h * pooled_w; }
  int64_t pixels() const noexcept { return height * width; }
};

/// The options alone, but for those that concern the choice of a kernel.
Status ValidateOptions(const char* function, const Options& options) noexcept;

/// Checks options, types, ranks, shapes, sizes, strides, and the pointers as far as they are set; null -> type -> rank -> shape
/// -> range. Fills *dims.
Status ValidateRoiPoolGrad(const Names& names, const RoiPoolGradArgs& args, const Options& options, Dims* dims) noexcept;
Status ValidateRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, Dims* dims) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_VALIDATE_H_
