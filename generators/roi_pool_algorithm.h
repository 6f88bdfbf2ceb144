// What the forward is. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

struct PoolInputs {
  Halide::Func x;       ///< (w, h, channel, image)
  Halide::Func boxes;   ///< (corner, roi), float32 and finite; corners are x1, y1, x2, y2
  Halide::Func images;  ///< (roi), int32, in [0, image_count)
  Halide::Expr spatial_scale_h, spatial_scale_w;
  Halide::Expr rounds_corners;  ///< Whether Geometry::kTorchvision holds rather than kAclnn.
  Halide::Expr width, height, image_count;
  Halide::Expr pooled_h, pooled_w;
};

/// Builds the forward for `type`. Bin edges follow roipool/options.h in float32; the target must have strict_float, else
/// contracted operations move edges from one ISA to another.
PoolStages DefineRoiPool(const PoolInputs& inputs, Halide::Type type);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_
