// Sizes of a call, and which of them are alike enough to share tuned values.
#ifndef ROIPOOL_RUNTIME_SHAPE_CLASS_H_
#define ROIPOOL_RUNTIME_SHAPE_CLASS_H_

#include <cstdint>

// clang-format off: CMake reads the names. The first class that fits is a call's.
#define ROIPOOL_SHAPE_CLASSES(CLASS)                                           \
  CLASS(kTiny, tiny, "at most 24576 bins in all")                             \
  CLASS(kLargeMap, large_map, "planes of more than 16384 pixels")             \
  CLASS(kFewRois, few_rois, "fewer than 8192 bins for each plane")            \
  CLASS(kManyRois, many_rois, "all others")
// clang-format on

namespace roipool::internal {

struct CallSizes {
  int64_t rois, channels, bins, images, pixels;
};

enum class ShapeClass : int32_t {
#define ROIPOOL_SHAPE_CLASS_VALUE(value, name, description) value,
  ROIPOOL_SHAPE_CLASSES(ROIPOOL_SHAPE_CLASS_VALUE)
#undef ROIPOOL_SHAPE_CLASS_VALUE
};

/// The classes tell apart what limits a gradient: the cost of a call; planes that a core's caches do not hold (the first level
/// holds 16384 float32 sums at most); the zeroing of planes, which few rois must pay for; the rows themselves.
/// Of the benchmark's shapes D is tiny, E large_map, B few_rois, A and C many_rois.
ShapeClass ClassOf(const CallSizes& sizes) noexcept;

const char* ShapeClassName(ShapeClass shape_class) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_SHAPE_CLASS_H_
