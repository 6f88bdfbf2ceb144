#include "box_finder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "feature_map.h"

namespace roipool::cli {
namespace {

constexpr float kSides[] = {0.11f, 0.15f, 0.21f, 0.29f};  // Of the map's shorter side.
constexpr float kAspectRatios[] = {0.5f, 1.0f, 2.0f};     // Width over height.
constexpr float kRing = 0.25f;                            // The ring's thickness, of the box's sides.
constexpr float kMaxOverlap = 0.2f;
constexpr float kMaxCovered = 0.5f;  // How much of a box, or of a better one, the other may cover.

// Sums over any rectangle of the map in four look-ups.
class IntegralImage {
 public:
  IntegralImage(const std::vector<float>& values, int width, int height)
      : width_(width), height_(height), sums_(static_cast<size_t>(width + 1) * (height + 1)) {
    for (int y = 0; y < height; ++y) {
      double row = 0;
      for (int x = 0; x < width; ++x) {
        row += values[static_cast<size_t>(y) * width + x];
        sums_[Index(x + 1, y + 1)] = sums_[Index(x + 1, y)] + row;
      }
    }
  }

  /// The sum over [x1, x2) x [y1, y2), cut at the map's border; adds the number of pixels to `pixels`.
  double Sum(int x1, int y1, int x2, int y2, double* pixels) const {
    x1 = std::max(x1, 0);
    y1 = std::max(y1, 0);
    x2 = std::min(x2, width_);
    y2 = std::min(y2, height_);
    *pixels += static_cast<double>(x2 - x1) * (y2 - y1);
    return sums_[Index(x2, y2)] - sums_[Index(x1, y2)] - sums_[Index(x2, y1)] + sums_[Index(x1, y1)];
  }

 private:
  size_t Index(int x, int y) const { return static_cast<size_t>(y) * (width_ + 1) + x; }

  int width_;
  int height_;
  std::vector<double> sums_;
};

struct Candidate {
  Box box;
  double score = 0;
};

std::vector<float> EdgeEnergy(const Array& feature_map) {
  const size_t pixels = static_cast<size_t>(feature_map.shape[2] * feature_map.shape[3]);
  const auto* values = static_cast<const float*>(feature_map.data.get());
  std::vector<float> energy(pixels);
  for (int c = kColourChannels; c < kFeatureChannels; ++c) {
    for (size_t p = 0; p < pixels; ++p) energy[p] += values[c * pixels + p];
  }
  // The square root keeps a few strong edges from taking all boxes.
  for (float& value : energy) value = std::sqrt(value);
  return energy;
}

// Whether both boxes show much the same.
bool AreAlike(const Box& a, const Box& b) {
  const Box smaller = Area(a) < Area(b) ? a : b;
  const float shared = SharedArea(a, b);
  return shared > kMaxOverlap * (Area(a) + Area(b) - shared) || shared > kMaxCovered * Area(smaller);
}

// How much stronger the edges inside are than around, favouring larger boxes a little: their contrast is harder to come by.
double Score(const IntegralImage& energy, int x, int y, int width, int height) {
  double inside_pixels = 0;
  const double inside = energy.Sum(x, y, x + width, y + height, &inside_pixels);
  const int ring_x = std::max(1, static_cast<int>(std::lround(kRing * static_cast<float>(width))));
  const int ring_y = std::max(1, static_cast<int>(std::lround(kRing * static_cast<float>(height))));
  double all_pixels = 0;
  const double all = energy.Sum(x - ring_x, y - ring_y, x + width + ring_x, y + height + ring_y, &all_pixels);
  if (all_pixels <= inside_pixels) return 0;
  return (inside / inside_pixels - (all - inside) / (all_pixels - inside_pixels)) * std::sqrt(inside_pixels);
}

void AddCandidates(const IntegralImage& energy, int map_width, int map_height, int width, int height,
                   std::vector<Candidate>* candidates) {
  const int step = std::max(1, std::min(width, height) / 8);
  for (int y = 0; y + height <= map_height; y += step) {
    for (int x = 0; x + width <= map_width; x += step) {
      const double score = Score(energy, x, y, width, height);
      if (score <= 0) continue;
      // The last pixel that the box covers, since the operator counts it in.
      const auto pixel = [](int map_pixel) { return static_cast<float>(map_pixel * kFeatureStride); };
      candidates->push_back({{pixel(x), pixel(y), pixel(x + width) - 1, pixel(y + height) - 1}, score});
    }
  }
}

// The better one; of equally good ones the upper, then the left, then the smaller one, so that the order never depends on the
// sort.
bool ComesFirst(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) { return std::make_tuple(-c.score, c.box.y1, c.box.x1, c.box.y2, c.box.x2); };
  return key(a) < key(b);
}

}  // namespace

std::vector<Box> FindBoxes(const Array& feature_map, int count) {
  const int map_height = static_cast<int>(feature_map.shape[2]);
  const int map_width = static_cast<int>(feature_map.shape[3]);
  const IntegralImage energy(EdgeEnergy(feature_map), map_width, map_height);
  std::vector<Candidate> candidates;
  for (float side : kSides) {
    for (float aspect_ratio : kAspectRatios) {
      const float length = side * static_cast<float>(std::min(map_width, map_height));
      const int width = std::max(2, static_cast<int>(std::lround(length * std::sqrt(aspect_ratio))));
      const int height = std::max(2, static_cast<int>(std::lround(length / std::sqrt(aspect_ratio))));
      AddCandidates(energy, map_width, map_height, width, height, &candidates);
    }
  }
  std::sort(candidates.begin(), candidates.end(), ComesFirst);
  std::vector<Box> boxes;
  for (const Candidate& candidate : candidates) {
    if (static_cast<int>(boxes.size()) == count) break;
    const bool is_new = std::none_of(boxes.begin(), boxes.end(), [&](const Box& box) { return AreAlike(box, candidate.box); });
    if (is_new) boxes.push_back(candidate.box);
  }
  return boxes;
}

}  // namespace roipool::cli
