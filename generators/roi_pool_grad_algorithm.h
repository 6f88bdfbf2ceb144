// What the gradient is. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

/// The pipeline's inputs. A position is an index into `order`, which lists the rois sorted by image and, within an image, in
/// ascending order; those of image n stand at [begin(n), begin(n + 1)).
struct GradInputs {
  Halide::Func grad_output;  ///< (bin, channel, roi)
  Halide::Func argmax;       ///< (bin, channel, roi), int32
  Halide::Func order;        ///< (position), int32, in [0, rois)
  Halide::Func begin;        ///< (image), int32, images + 1 entries
  Halide::Expr bins, channels, rois;
  Halide::Expr pixels;  ///< H*W
};

/// Defines `grad_input`, the pipeline's output, for `type` (S1: 16-bit types are summed in float32). Within each plane entries
/// are added in ascending position, then bin (S2), in whatever way the schedule loops over planes.
///
/// Memory safety (S4): an entry is scattered only if it is below H*W as an unsigned number, which one compare decides for -1
/// and for every bad value. With `checks_argmax` a row that holds a value outside [-1, H*W) ends the kernel with
/// halide_error_code_requirement_failed.
GradStages DefineRoiPoolGrad(const GradInputs& inputs, const Halide::Func& grad_input, Halide::Type type, bool checks_argmax);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_
