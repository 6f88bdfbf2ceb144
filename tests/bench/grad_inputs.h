// Inputs of gradients as a detector makes them, in the named shapes that all measurements of this project use.
#ifndef ROIPOOL_TESTS_BENCH_GRAD_INPUTS_H_
#define ROIPOOL_TESTS_BENCH_GRAD_INPUTS_H_

#include <cstdint>
#include <vector>

#include "roipool/roi_pool_grad.h"

namespace roipool::bench {

struct Shape {
  const char* name;
  int64_t images, channels, height, width, rois, pooled_h, pooled_w;

  int64_t entries() const { return rois * channels * pooled_h * pooled_w; }
  int64_t outputs() const { return images * channels * height * width; }
};

constexpr Shape kShapes[] = {
    {"A", 2, 256, 50, 68, 1024, 7, 7},
    {"B", 2, 512, 38, 63, 128, 7, 7},
    {"C", 2, 1024, 38, 63, 256, 14, 14},
    {"E", 2, 256, 200, 272, 512, 7, 7},
};

/// Boxes of sizes spread evenly over their logarithm, argmax from the forward of random features, random gradients.
struct GradInputs {
  GradInputs(const Shape& shape, bool sorted_by_image);

  RoiPoolGradArgs args(std::vector<float>& grad_input) const;

  Shape shape;
  std::vector<float> rois, grad_output;
  std::vector<int32_t> argmax;
};

}  // namespace roipool::bench

#endif  // ROIPOOL_TESTS_BENCH_GRAD_INPUTS_H_
