#include "grad_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "roipool/roi_pool.h"

namespace roipool::bench {
namespace {

constexpr uint32_t kSeed = 1;

using Roi = std::array<float, 5>;

// One axis of a box: where it begins and ends on a map of `size` pixels.
std::array<float, 2> MakeInterval(int64_t size, std::mt19937& random) {
  std::uniform_real_distribution<float> fraction(0, 1);
  const auto extent = static_cast<float>(size);
  const float length = std::max(2.0f, std::exp(fraction(random) * std::log(extent)));
  const float begin = std::floor(fraction(random) * (extent - length));
  return {begin, std::min(extent - 1, std::floor(begin + length))};
}

std::vector<float> MakeRois(const Shape& shape, bool sorted_by_image, std::mt19937& random) {
  std::vector<Roi> rois(static_cast<size_t>(shape.rois));
  for (Roi& roi : rois) {
    const auto image = static_cast<float>(random() % static_cast<uint32_t>(shape.images));
    const auto [x1, x2] = MakeInterval(shape.width, random);
    const auto [y1, y2] = MakeInterval(shape.height, random);
    roi = {image, x1, y1, x2, y2};
  }
  if (sorted_by_image) std::stable_sort(rois.begin(), rois.end(), [](const Roi& a, const Roi& b) { return a[0] < b[0]; });
  std::vector<float> numbers;
  for (const Roi& roi : rois) numbers.insert(numbers.end(), roi.begin(), roi.end());
  return numbers;
}

std::vector<float> MakeNumbers(int64_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& value : numbers) value = number(random);
  return numbers;
}

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message());
  std::exit(1);
}

std::vector<int32_t> MakeArgmax(const Shape& shape, const std::vector<float>& rois, std::mt19937& random) {
  const std::vector<float> x = MakeNumbers(shape.outputs(), random);
  std::vector<float> y(static_cast<size_t>(shape.entries()));
  std::vector<int32_t> argmax(y.size());
  RoiPoolArgs args;
  args.x = ContiguousTensor(x.data(), DataType::kFloat32, {shape.images, shape.channels, shape.height, shape.width});
  args.rois = ContiguousTensor(rois.data(), DataType::kFloat32, {shape.rois, 5});
  args.y = ContiguousTensor(y.data(), DataType::kFloat32, {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w});
  args.argmax = ContiguousTensor(argmax.data(), DataType::kInt32, {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w});
  uint64_t size = 0;
  ExecutorPtr executor;
  Require(RoiPoolGetWorkspaceSize(args, {}, &size, &executor));
  void* workspace = std::aligned_alloc(kWorkspaceAlignment, size);
  Require(RoiPool(workspace, size, executor.get()));
  std::free(workspace);
  return argmax;
}

}  // namespace

GradInputs::GradInputs(const Shape& s, bool sorted_by_image) : shape(s) {
  std::mt19937 random(kSeed);
  rois = MakeRois(shape, sorted_by_image, random);
  argmax = MakeArgmax(shape, rois, random);
  grad_output = MakeNumbers(shape.entries(), random);
}

RoiPoolGradArgs GradInputs::args(std::vector<float>& grad_input) const {
  RoiPoolGradArgs args;
  args.grad_output =
      ContiguousTensor(grad_output.data(), DataType::kFloat32, {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w});
  args.argmax = ContiguousTensor(argmax.data(), DataType::kInt32, {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w});
  args.rois = ContiguousTensor(rois.data(), DataType::kFloat32, {shape.rois, 5});
  args.grad_input =
      ContiguousTensor(grad_input.data(), DataType::kFloat32, {shape.images, shape.channels, shape.height, shape.width});
  return args;
}

}  // namespace roipool::bench
