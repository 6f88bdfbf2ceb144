// Feature maps made from a photograph by plain image filters, without any network.
#ifndef ROIPOOL_CLI_FEATURE_MAP_H_
#define ROIPOOL_CLI_FEATURE_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "array.h"
#include "photograph.h"

namespace roipool::cli {

constexpr int kColourChannels = 3;
constexpr int kOrientations = 8;
/// Standard deviations of the Gaussian blurs, in pixels of the photograph.
constexpr float kScales[] = {1.0f, 2.0f, 4.0f};
constexpr int kScaleCount = 3;
constexpr int kFeatureChannels = kColourChannels + kScaleCount * kOrientations;
/// Pixels of the photograph along one side of a feature map's pixel.
constexpr int kFeatureStride = 4;

/// (1, kFeatureChannels, ceil(height / stride), ceil(width / stride)) float32. Channels 0 to 2 are red, green and blue, 0 to 1;
/// then for each scale, for each orientation, how strong the edges of about that direction are: the gradient of the blurred
/// luma times the scale, its magnitude shared between the two nearest orientations. Each pixel of the map is the mean over a
/// square of kFeatureStride pixels.
Array MakeFeatureMap(const Photograph& photograph);

/// The channel's name in a few words, e.g. "edges at 90°, blur 2 px". 0° is a horizontal edge, angles grow counterclockwise.
std::string FeatureName(int channel);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_FEATURE_MAP_H_
