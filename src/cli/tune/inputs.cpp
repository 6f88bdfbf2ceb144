#include "inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace roipool::cli {
namespace {

// One axis of a box: where it begins and ends on a map of `size` pixels.
std::array<float, 2> MakeInterval(int64_t size, std::mt19937& random) {
  std::uniform_real_distribution<float> fraction(0, 1);
  const auto extent = static_cast<float>(size);
  const float length = std::max(2.0f, std::exp(fraction(random) * std::log(extent)));
  const float begin = std::floor(fraction(random) * (extent - length));
  return {begin, std::min(extent - 1, std::floor(begin + length))};
}

}  // namespace

std::mt19937 InputRandom(uint32_t stream) { return std::mt19937(stream + 1); }

Array MakeRois(const Shape& shape, std::mt19937& random) {
  std::vector<std::array<float, 5>> rois(static_cast<size_t>(shape.rois));
  for (auto& roi : rois) {
    const auto image = static_cast<float>(random() % static_cast<uint32_t>(shape.images));
    const auto [x1, x2] = MakeInterval(shape.width, random);
    const auto [y1, y2] = MakeInterval(shape.height, random);
    roi = {image, x1, y1, x2, y2};
  }
  std::stable_sort(rois.begin(), rois.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  Array array = AllocateArray(DataType::kFloat32, {shape.rois, 5});
  std::memcpy(array.data.get(), rois.data(), rois.size() * sizeof(rois[0]));
  return array;
}

Array MakeNumbers(const std::vector<int64_t>& shape, std::mt19937& random) {
  std::uniform_real_distribution<float> number(-1, 1);
  Array array = AllocateArray(DataType::kFloat32, shape);
  auto* numbers = static_cast<float*>(array.data.get());
  std::generate(numbers, numbers + ElementCount(array), [&] { return number(random); });
  return array;
}

}  // namespace roipool::cli
