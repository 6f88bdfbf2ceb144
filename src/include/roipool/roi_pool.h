// RoI max pooling, the forward that makes the argmax, in two phases.
#ifndef ROIPOOL_ROI_POOL_H_
#define ROIPOOL_ROI_POOL_H_

#include <cstdint>

#include "roipool/executor.h"
#include "roipool/export.h"
#include "roipool/options.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool {

/// For every roi, channel and bin: the largest value of x in the bin's window, and where it lies.
struct RoiPoolArgs {
  TensorView x;                  ///< (N, C, H, W), float32, float16, bfloat16 or float64; any strides.
  TensorView rois;               ///< (R, 5), any float type: image index, then a box as Options::roi_layout says.
  float spatial_scale_h = 1.0f;  ///< Multiplies y1 and y2; finite and above 0.
  float spatial_scale_w = 1.0f;  ///< Multiplies x1 and x2; finite and above 0.
  MutableTensorView y;           ///< (R, C, PH, PW), the type of x; any strides without overlap.
  MutableTensorView argmax;      ///< (R, C, PH, PW), int32; any strides without overlap.
};

/// Phase 1; see RoiPoolGradGetWorkspaceSize, whose rules hold here too. Beside some bytes for each roi and bin edge, the
/// workspace of a CPU holds up to 64 channels of one image for each thread, together at most a copy of x whose channels are a
/// multiple of 16, or of a larger tuned channel_block; none where channels lie side by side and are such a multiple.
ROIPOOL_EXPORT Status RoiPoolGetWorkspaceSize(const RoiPoolArgs& args, const Options& options, uint64_t* workspace_size,
                                              ExecutorPtr* executor) noexcept;

/// Phase 2: fills y and argmax. Both are there when the call returns; for CUDA, and OpenCL's memory objects, once their stream
/// has come so far: see Synchronize().
///
/// The first largest value in row-major order wins; NaN never wins. A bin with no winner (an empty window, or NaN alone) gives
/// 0 and -1. Bin edges follow Options::geometry, in float32 with every operation rounded, so that every target chooses the same
/// pixels (float64 boxes are rounded to float32 first); boxes far outside the map are clipped, never wrapped.
///
/// kOutOfRange names the first roi whose image index is outside [0, N), fractional or NaN, else the first whose box is not
/// finite. On a CPU y and argmax are untouched then; on a GPU they are unspecified, and with device memory Synchronize() tells.
/// Workspace, executor, threads and the other errors as for RoiPoolGrad.
ROIPOOL_EXPORT Status RoiPool(void* workspace, uint64_t workspace_size, Executor* executor) noexcept;

/// Gives an executor other buffers of the same types, shapes and strides; see SetRoiPoolGradData.
ROIPOOL_EXPORT Status SetRoiPoolData(Executor* executor, const void* x, const void* rois, void* y, void* argmax) noexcept;

}  // namespace roipool

#endif  // ROIPOOL_ROI_POOL_H_
