#include "times.h"

#include <algorithm>
#include <cmath>

namespace roipool::cli {
namespace {

// A candidate must be this much faster in the duel with the best, and in so many of the rounds, or noise would move the best
// about.
constexpr double kWorthwhile = 0.98, kShareOfRoundsWon = 0.7;

double GeometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

// In how many of its rounds, on all shapes, `which` was faster than the first one.
double ShareOfRoundsWon(const Seconds& seconds, size_t which) {
  size_t won = 0, rounds = 0;
  for (const auto& shape : seconds) {
    for (size_t round = 0; round < shape[which].size(); ++round, ++rounds) won += shape[which][round] < shape[0][round] ? 1 : 0;
  }
  return static_cast<double>(won) / static_cast<double>(rounds);
}

}  // namespace

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double RatioToFirst(const Seconds& seconds, size_t which) {
  std::vector<double> of_shapes;
  for (const auto& shape : seconds) {
    std::vector<double> ratios;
    ratios.reserve(shape[which].size());
    for (size_t round = 0; round < shape[which].size(); ++round) ratios.push_back(shape[which][round] / shape[0][round]);
    of_shapes.push_back(Median(ratios));
  }
  return GeometricMean(of_shapes);
}

bool IsFaster(const Seconds& seconds, size_t which) {
  return RatioToFirst(seconds, which) <= kWorthwhile && ShareOfRoundsWon(seconds, which) >= kShareOfRoundsWon;
}

double NanosecondsPerBin(const Seconds& seconds, size_t which, const std::vector<Shape>& shapes) {
  std::vector<double> of_shapes;
  of_shapes.reserve(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    of_shapes.push_back(Median(seconds[i][which]) * 1e9 / static_cast<double>(shapes[i].entries()));
  }
  return GeometricMean(of_shapes);
}

}  // namespace roipool::cli
