#include "shape_class.h"

#include <algorithm>

namespace roipool::internal {

ShapeClass ClassOf(const CallSizes& sizes) noexcept {
  const int64_t bins_per_channel = sizes.rois * sizes.bins;
  if (bins_per_channel * sizes.channels <= 24576) return ShapeClass::kTiny;
  if (sizes.pixels > 16384) return ShapeClass::kLargeMap;
  return bins_per_channel / std::max<int64_t>(1, sizes.images) < 8192 ? ShapeClass::kFewRois : ShapeClass::kManyRois;
}

const char* ShapeClassName(ShapeClass shape_class) noexcept {
#define ROIPOOL_SHAPE_CLASS_NAME(value, name, description) #name,
  constexpr const char* kNames[] = {ROIPOOL_SHAPE_CLASSES(ROIPOOL_SHAPE_CLASS_NAME)};
#undef ROIPOOL_SHAPE_CLASS_NAME
  return kNames[static_cast<int32_t>(shape_class)];
}

}  // namespace roipool::internal
