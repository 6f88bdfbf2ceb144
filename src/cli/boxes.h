// Boxes in a photograph: from a CSV file, or found in its feature map.
#ifndef ROIPOOL_CLI_BOXES_H_
#define ROIPOOL_CLI_BOXES_H_

#include <istream>
#include <string>
#include <vector>

#include "array.h"

namespace roipool::cli {

/// Corners in pixels of the photograph.
struct Box {
  float x1 = 0;
  float y1 = 0;
  float x2 = 0;
  float y2 = 0;
};

float Area(const Box& box);
/// 0 if they share nothing.
float SharedArea(const Box& a, const Box& b);

/// Reads lines `x1,y1,x2,y2`; empty lines and lines that begin with # are skipped, and so is one header line. Throws UserError
/// with `name` and the line's number unless all boxes have x1 < x2 and y1 < y2 and touch a picture of width x height pixels.
std::vector<Box> ParseBoxes(std::istream& text, const std::string& name, int width, int height);

/// ParseBoxes for a file.
std::vector<Box> LoadBoxes(const std::string& path, int width, int height);

/// The (R, 5) float32 tensor of boxes in image 0.
Array BoxesToRois(const std::vector<Box>& boxes);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_BOXES_H_
