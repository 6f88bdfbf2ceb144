// Finds boxes worth looking at, without any network.
#ifndef ROIPOOL_CLI_BOX_FINDER_H_
#define ROIPOOL_CLI_BOX_FINDER_H_

#include <vector>

#include "array.h"
#include "boxes.h"

namespace roipool::cli {

/// At most `count` boxes, best first, for a feature map from MakeFeatureMap: boxes of a few sizes and aspect ratios that hold
/// stronger edges than the ring around them, none overlapping a better one by much. Depends on the map alone.
std::vector<Box> FindBoxes(const Array& feature_map, int count);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_BOX_FINDER_H_
