// What the forward is. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

struct PoolInputs {
  Halide::Func x;              ///< (channel, w, h) of one image
  Halide::Func columns, rows;  ///< (bin along the axis, side, roi), int32, of the step roi_pool_edges
  Halide::Expr width, height, pooled_w, pooled_h;
};

/// Builds the forward of one image for `type`. A window is searched from its last pixel to its first, so that the first of
/// equal values wins by taking over. With `transposes_tiles`, what is found passes through `value_tiles` and `pixel_tiles` on
/// its way to `pooled`.
PoolStages DefineRoiPool(const PoolInputs& inputs, Halide::Type type, bool transposes_tiles);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_ALGORITHM_H_
