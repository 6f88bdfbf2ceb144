// The gradient on a GPU: the same update definition, over whole tensors, one thread for each bin. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_GRAD_GPU_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_GRAD_GPU_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

/// The scatter's inputs. 16-bit gradients are bits (uint16), as no device need have such types.
struct GpuGradInputs {
  Halide::Func grad_output;  ///< (pw, ph, channel, roi)
  Halide::Func argmax;       ///< (pw, ph, channel, roi), int32; what is no pixel is skipped.
  Halide::Func images;       ///< (roi), int32; what is no image is skipped.
  Halide::Func state;        ///< (0), uint64: see LargestMagnitude(). Fixed point alone reads it.
  Halide::Expr pooled_w, pooled_h, channels, rois, pixels, image_count, addends_log2;
};

/// What a schedule asks of the algorithm, by constants in its file.
struct GpuGradForm {
  bool is_fixed_point = false;  ///< kIsFixedPoint: the sums are int64, the same in any order of addition; see number_formats.h.
  bool is_by_plane = false;     ///< kIsByPlane: a plane is summed as `plane`, which the schedule places, and `sum` is its copy.
};

/// Defines `sum` (pixel, channel, image) for gradients of `type`: in floats, or in fixed point as far as all gradients are
/// finite. If one is not, `float_sum` has the sums in floats, else it is left alone. Adds to what is there, which must be 0; by
/// plane, `sum` is written. In floats, adds 2^32 to `found_bad` (channel) for each entry whose pixel or image is out of range.
GpuGradStages DefineRoiPoolGradGpu(const GpuGradInputs& inputs, const Halide::Func& sum, const Halide::Func& float_sum,
                                   const Halide::Func& found_bad, Halide::Type type, const GpuGradForm& form);

/// The type of a buffer of `type` in a GPU's kernels.
Halide::Type GpuType(const Halide::Type& type);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_GRAD_GPU_ALGORITHM_H_
