#include "feature_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace roipool::cli {
namespace {

// One plane of numbers as large as the photograph.
struct Plane {
  int width = 0;
  int height = 0;
  std::vector<float> values;

  float At(int x, int y) const { return values[static_cast<size_t>(y) * width + x]; }
  float& At(int x, int y) { return values[static_cast<size_t>(y) * width + x]; }
};

Plane MakePlane(int width, int height) { return {width, height, std::vector<float>(static_cast<size_t>(width) * height)}; }

std::vector<float> GaussianKernel(float sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<float> kernel;
  float sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    kernel.push_back(std::exp(-0.5f * static_cast<float>(i * i) / (sigma * sigma)));
    sum += kernel.back();
  }
  for (float& weight : kernel) weight /= sum;
  return kernel;
}

// Adds `weight` times a row; written so that compilers make vectors of it.
void AddScaledRow(const float* row, float weight, int width, float* sum) {
  for (int x = 0; x < width; ++x) sum[x] += weight * row[x];
}

// The border's pixels are repeated outwards.
Plane BlurRows(const Plane& plane, const std::vector<float>& kernel) {
  Plane result = MakePlane(plane.width, plane.height);
  const int radius = static_cast<int>(kernel.size() / 2);
  std::vector<float> padded(static_cast<size_t>(plane.width) + kernel.size() - 1);
  for (int y = 0; y < plane.height; ++y) {
    for (int x = -radius; x < plane.width + radius; ++x) padded[x + radius] = plane.At(std::clamp(x, 0, plane.width - 1), y);
    for (size_t i = 0; i < kernel.size(); ++i) AddScaledRow(padded.data() + i, kernel[i], plane.width, &result.At(0, y));
  }
  return result;
}

Plane BlurColumns(const Plane& plane, const std::vector<float>& kernel) {
  Plane result = MakePlane(plane.width, plane.height);
  const int radius = static_cast<int>(kernel.size() / 2);
  for (int y = 0; y < plane.height; ++y) {
    for (int i = -radius; i <= radius; ++i) {
      const int from_y = std::clamp(y + i, 0, plane.height - 1);
      AddScaledRow(plane.values.data() + static_cast<size_t>(from_y) * plane.width, kernel[i + radius], plane.width,
                   &result.At(0, y));
    }
  }
  return result;
}

Plane LumaPlane(const Photograph& photograph) {
  Plane luma = MakePlane(photograph.width, photograph.height);
  for (int y = 0; y < luma.height; ++y) {
    for (int x = 0; x < luma.width; ++x) luma.At(x, y) = photograph.Luma(x, y);
  }
  return luma;
}

// Fills ChannelCount channels of the map with means over squares of the photograph. add_pixel(x, y, &sums) adds one pixel of
// it; the squares at the right and bottom may hold fewer.
template <int ChannelCount, typename AddPixel>
void FillChannels(int width, int height, int first_channel, const AddPixel& add_pixel, Array* map) {
  const int64_t map_height = map->shape[2];
  const int64_t map_width = map->shape[3];
  auto* values = static_cast<float*>(map->data.get()) + first_channel * map_height * map_width;
  for (int map_y = 0; map_y < map_height; ++map_y) {
    for (int map_x = 0; map_x < map_width; ++map_x) {
      const int end_x = std::min((map_x + 1) * kFeatureStride, width);
      const int end_y = std::min((map_y + 1) * kFeatureStride, height);
      std::array<float, ChannelCount> sums{};
      for (int y = map_y * kFeatureStride; y < end_y; ++y) {
        for (int x = map_x * kFeatureStride; x < end_x; ++x) add_pixel(x, y, &sums);
      }
      const int pixels = (end_x - map_x * kFeatureStride) * (end_y - map_y * kFeatureStride);
      for (int c = 0; c < ChannelCount; ++c) {
        values[(c * map_height + map_y) * map_width + map_x] = sums[c] / static_cast<float>(pixels);
      }
    }
  }
}

void FillColours(const Photograph& photograph, Array* map) {
  const auto add_pixel = [&](int x, int y, std::array<float, kColourChannels>* sums) {
    for (int c = 0; c < kColourChannels; ++c) (*sums)[c] += photograph.At(x, y)[c] / 255.0f;
  };
  FillChannels<kColourChannels>(photograph.width, photograph.height, 0, add_pixel, map);
}

void FillEdges(const Plane& luma, int scale_index, Array* map) {
  const float sigma = kScales[scale_index];
  const std::vector<float> kernel = GaussianKernel(sigma);
  const Plane blurred = BlurColumns(BlurRows(luma, kernel), kernel);
  const auto add_pixel = [&](int x, int y, std::array<float, kOrientations>* sums) {
    const float dx = 0.5f * (blurred.At(std::min(x + 1, luma.width - 1), y) - blurred.At(std::max(x - 1, 0), y));
    const float dy = 0.5f * (blurred.At(x, std::min(y + 1, luma.height - 1)) - blurred.At(x, std::max(y - 1, 0)));
    const float magnitude = sigma * std::sqrt(dx * dx + dy * dy);
    // An edge runs across the gradient; rows count downwards, angles upwards; opposite directions are one orientation.
    float turn = std::atan2(dx, dy) / std::numbers::pi_v<float>;
    turn -= std::floor(turn);
    const float position = turn * kOrientations;
    const int below = static_cast<int>(position) % kOrientations;
    const float share = position - std::floor(position);
    (*sums)[below] += magnitude * (1 - share);
    (*sums)[(below + 1) % kOrientations] += magnitude * share;
  };
  FillChannels<kOrientations>(luma.width, luma.height, kColourChannels + scale_index * kOrientations, add_pixel, map);
}

}  // namespace

Array MakeFeatureMap(const Photograph& photograph) {
  const int64_t height = (photograph.height + kFeatureStride - 1) / kFeatureStride;
  const int64_t width = (photograph.width + kFeatureStride - 1) / kFeatureStride;
  Array map = AllocateArray(DataType::kFloat32, {1, kFeatureChannels, height, width});
  FillColours(photograph, &map);
  const Plane luma = LumaPlane(photograph);
  for (int scale_index = 0; scale_index < kScaleCount; ++scale_index) FillEdges(luma, scale_index, &map);
  return map;
}

std::string FeatureName(int channel) {
  static constexpr const char* kColourNames[kColourChannels] = {"red", "green", "blue"};
  if (channel < kColourChannels) return kColourNames[channel];
  const int edge = channel - kColourChannels;
  return fmt::format("edges at {}°, blur {} px", 180.0f * static_cast<float>(edge % kOrientations) / kOrientations,
                     kScales[edge / kOrientations]);
}

}  // namespace roipool::cli
