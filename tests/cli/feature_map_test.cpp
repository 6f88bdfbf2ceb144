// The demo's feature maps on pictures whose edges are known.
#include "feature_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "test_pictures.h"

namespace roipool::test {
namespace {

using cli::Array;
using cli::kColourChannels;
using cli::kFeatureChannels;
using cli::kOrientations;
using cli::Photograph;

float At(const Array& map, int channel, int64_t y, int64_t x) {
  return static_cast<const float*>(map.data.get())[(channel * map.shape[2] + y) * map.shape[3] + x];
}

double ChannelSum(const Array& map, int channel) {
  double sum = 0;
  for (int64_t y = 0; y < map.shape[2]; ++y) {
    for (int64_t x = 0; x < map.shape[3]; ++x) sum += At(map, channel, y, x);
  }
  return sum;
}

// Black on one side of a line through the middle, white on the other; the line's direction in degrees, counterclockwise.
Photograph Edge(double degrees) {
  Photograph picture = GreyPicture(96, 96, 0);
  const double angle = degrees * std::numbers::pi / 180;
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x < 96; ++x) {
      // How far the pixel lies on the left of the line, softened over a pixel.
      const double distance = -(x - 47.5) * std::sin(angle) - (y - 47.5) * std::cos(angle);
      for (int c = 0; c < 3; ++c) {
        picture.rgb[(static_cast<size_t>(y) * 96 + x) * 3 + c] =
            static_cast<uint8_t>(std::lround(255 * std::clamp(distance + 0.5, 0.0, 1.0)));
      }
    }
  }
  return picture;
}

TEST(FeatureMap, HasOnePixelForAFewOfThePicture) {
  const Array map = cli::MakeFeatureMap(GreyPicture(41, 36, 128));
  EXPECT_EQ(map.shape, (std::vector<int64_t>{1, kFeatureChannels, 9, 11}));
}

TEST(FeatureMap, ColoursAreMeansAndFlatPicturesHaveNoEdges) {
  const Array map = cli::MakeFeatureMap(GreyPicture(41, 36, 51));
  for (int64_t y = 0; y < 9; ++y) {
    for (int64_t x = 0; x < 11; ++x) {
      for (int c = 0; c < kColourChannels; ++c) ASSERT_NEAR(At(map, c, y, x), 0.2f, 1e-5f);
      for (int c = kColourChannels; c < kFeatureChannels; ++c) ASSERT_NEAR(At(map, c, y, x), 0, 1e-5f);
    }
  }
}

TEST(FeatureMap, EachDirectionHasItsChannel) {
  for (int orientation = 0; orientation < kOrientations; ++orientation) {
    const Array map = cli::MakeFeatureMap(Edge(180.0 * orientation / kOrientations));
    for (int scale = 0; scale < cli::kScaleCount; ++scale) {
      const int first_channel = kColourChannels + scale * kOrientations;
      int strongest = 0;
      for (int o = 1; o < kOrientations; ++o) {
        if (ChannelSum(map, first_channel + o) > ChannelSum(map, first_channel + strongest)) strongest = o;
      }
      EXPECT_EQ(strongest, orientation) << "scale " << scale;
    }
  }
}

TEST(FeatureMap, ChannelsHaveNames) {
  EXPECT_EQ(cli::FeatureName(0), "red");
  EXPECT_EQ(cli::FeatureName(kColourChannels), "edges at 0°, blur 1 px");
  EXPECT_EQ(cli::FeatureName(kFeatureChannels - 1), "edges at 157.5°, blur 4 px");
}

}  // namespace
}  // namespace roipool::test
