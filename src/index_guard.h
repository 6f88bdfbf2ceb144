// Phase 2's checks of tensor contents (S4), and the sorted form in which kernels take what was checked.
#ifndef ROIPOOL_SRC_INDEX_GUARD_H_
#define ROIPOOL_SRC_INDEX_GUARD_H_

#include <cstdint>

#include "roipool/options.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// Reads column 0 of `rois`, each element once, into images[R]. kOutOfRange names the first roi whose image index is not a
/// whole number in [0, image_count).
Status ReadImages(const char* function, const TensorView& rois, int64_t image_count, int32_t* images) noexcept;

/// A stable counting sort: order[R] lists the rois by image, in ascending order within an image; those of image n stand at
/// [begin[n], begin[n + 1]).
void SortByImage(const int32_t* images, int64_t rois, int64_t image_count, int32_t* order, int32_t* begin) noexcept;

/// Copies the corners as float32 (x1, y1, x2, y2) to boxes[R * 4]; float64 beyond float32's range becomes its largest value.
/// kOutOfRange names the first coordinate that is not finite.
Status ReadBoxes(const char* function, const TensorView& rois, RoiLayout roi_layout, float* boxes) noexcept;

/// Copies argmax, of any type and strides, densely to int32, each element read once. kOutOfRange names the first entry that is
/// not a whole number in [-1, pixels).
Status ConvertArgmax(const char* function, const TensorView& argmax, int64_t pixels, int32_t* converted) noexcept;

/// Names the first entry of an int32 argmax outside [-1, pixels), which a kernel has met.
Status ExplainBadArgmax(const char* function, const TensorView& argmax, int64_t pixels) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_INDEX_GUARD_H_
