// The forward on a GPU: one thread for each bin of each channel. How it runs is in schedules/.
#ifndef ROIPOOL_GENERATORS_ROI_POOL_GPU_ALGORITHM_H_
#define ROIPOOL_GENERATORS_ROI_POOL_GPU_ALGORITHM_H_

#include "stages.h"

namespace roipool::generators {

/// Pixels come as bits, as no device need have their type, nor its subnormal numbers.
struct GpuPoolInputs {
  Halide::Func x;              ///< (w, h, channel, image)
  Halide::Func columns, rows;  ///< (bin along the axis, side, roi), int32: where the bin begins and ends; see gpu_pool_edges.
  Halide::Func images;         ///< (roi), int32; of what is no image all bins are empty.
  Halide::Expr width, height, image_count;
};

/// Builds the forward for `type`.
GpuPoolStages DefineRoiPoolGpu(const GpuPoolInputs& inputs, Halide::Type type);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_ROI_POOL_GPU_ALGORITHM_H_
