// The shapes that measurements are made of: named ones, and those of a file.
#ifndef ROIPOOL_CLI_TUNE_SHAPES_H_
#define ROIPOOL_CLI_TUNE_SHAPES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roipool::cli {

struct Shape {
  std::string name;
  int64_t images, channels, height, width, rois, pooled_h, pooled_w;

  int64_t pixels() const { return height * width; }
  int64_t bins() const { return pooled_h * pooled_w; }
  int64_t entries() const { return rois * channels * bins(); }
};

/// A to E: detectors' heads of several sizes; D is the cost of a call.
const std::vector<Shape>& NamedShapes();

/// "A,E": named shapes. Or the path of a file whose lines are `name images channels height width rois pooled_h pooled_w`; #
/// begins a remark. Throws UserError.
std::vector<Shape> ParseShapes(const std::string& text);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_SHAPES_H_
