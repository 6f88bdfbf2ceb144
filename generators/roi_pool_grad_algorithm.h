// What the gradient is. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

/// The pipeline's inputs. A position is an index into `order`, which lists the rois to add, in the order of addition.
struct GradInputs {
  Halide::Func grad_output;  ///< (bin, member, group, roi)
  Halide::Func argmax;       ///< (bin, member, group, roi), int32
  Halide::Func order;        ///< (position), int32, in [0, rois)
  Halide::Func images;       ///< (roi), int32, in [first_image, last_image] for every roi of `order`
  Halide::Expr bins, members, rois, positions, first_image, last_image;
  Halide::Expr pixels;             ///< H*W
  Halide::Expr allows_non_finite;  ///< Read for sums in place alone; see below.
  Halide::Expr fixed_point_shift;  ///< Read in fixed point alone; see number_formats.h.
};

/// The type of sums: S1, or int64.
Halide::Type SumType(const Halide::Type& type, bool is_fixed_point);

/// Defines `sum` and `grad_input`, the pipeline's outputs, for `type` (S1: 16-bit types are summed in float32), or in fixed
/// point, for which the caller has seen to it that every gradient is finite. Within each plane entries are added in ascending
/// position, then bin (S2), in whatever way the schedule loops over planes. Where `sum` has the type of `grad_input`, the
/// caller gives both the same memory.
///
/// Memory safety (S4): `is_odd` finds the groups of rows that hold anything but pixels, -1 included. Only their entries are
/// compared one by one, and `is_bad` looks at them once more: a value outside [-1, H*W) ends the kernel with
/// halide_error_code_requirement_failed. Checks and scatter must read the same copy of argmax, so that nothing depends on what
/// another thread writes there meanwhile: a schedule has to place `target_row`.
///
/// Non-finite gradients: only they can make a sum a NaN, whose bits depend on the CPU. For 32- and 64-bit types a plane is
/// therefore not looked at again unless the caller says that they occur: with `allows_non_finite` every NaN becomes the type's
/// quiet NaN in a second pass; without it such a gradient ends the kernel, as a bad argmax does, and the caller runs it again.
GradStages DefineRoiPoolGrad(const GradInputs& inputs, const Halide::Func& sum, const Halide::Func& grad_input,
                             Halide::Type type, bool is_fixed_point);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_GRAD_ALGORITHM_H_
