#include "shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "user_error.h"

namespace roipool::cli {
namespace {

constexpr int64_t kMaxElements = 0x7fffffff;

const Shape* FindNamed(const std::string& name) {
  const auto& shapes = NamedShapes();
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& shape) { return shape.name == name; });
  return found == shapes.end() ? nullptr : &*found;
}

// Whether the product of the extents is at least 1 and fits a tensor.
bool FitsTensor(std::initializer_list<int64_t> extents) {
  int64_t left = kMaxElements;
  return std::all_of(extents.begin(), extents.end(), [&](int64_t extent) { return extent >= 1 && (left /= extent) >= 1; });
}

Shape ParseLine(const std::string& where, const std::string& line) {
  std::istringstream fields(line);
  Shape shape;
  std::string rest;
  if (!(fields >> shape.name >> shape.images >> shape.channels >> shape.height >> shape.width >> shape.rois >> shape.pooled_h >>
        shape.pooled_w) ||
      fields >> rest) {
    throw UserError(where + ": must be: name images channels height width rois pooled_h pooled_w");
  }
  if (!FitsTensor({shape.images, shape.channels, shape.height, shape.width}) ||
      !FitsTensor({shape.rois, shape.channels, shape.pooled_h, shape.pooled_w})) {
    throw UserError(where + ": extents must be at least 1, and no tensor larger than 2^31-1 elements");
  }
  return shape;
}

std::vector<Shape> ReadShapes(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("--shapes: cannot read '{}'", path));
  std::vector<Shape> shapes;
  std::set<std::string> names;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    shapes.push_back(ParseLine(where, line));
    if (!names.insert(shapes.back().name).second) {
      throw UserError(fmt::format("{}: the name {} is taken already", where, shapes.back().name));
    }
  }
  if (shapes.empty()) throw UserError(fmt::format("--shapes: '{}' holds no shape", path));
  return shapes;
}

}  // namespace

const std::vector<Shape>& NamedShapes() {
  static const std::vector<Shape> shapes = {{"A", 2, 256, 50, 68, 1024, 7, 7},
                                            {"B", 2, 512, 38, 63, 128, 7, 7},
                                            {"C", 2, 1024, 38, 63, 256, 14, 14},
                                            {"D", 4, 32, 3, 3, 1, 2, 2},
                                            {"E", 2, 256, 200, 272, 512, 7, 7}};
  return shapes;
}

std::vector<Shape> ParseShapes(const std::string& text) {
  std::vector<Shape> shapes;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    const Shape* shape = FindNamed(name);
    if (shape == nullptr && std::filesystem::exists(text)) return ReadShapes(text);
    if (shape == nullptr) {
      throw UserError(
          fmt::format("--shapes is '{}', must be names of A, B, C, D, E with commas between, or an existing file", text));
    }
    shapes.push_back(*shape);
  }
  if (shapes.empty()) throw UserError("--shapes is empty, must be names of A, B, C, D, E with commas between, or a file");
  return shapes;
}

}  // namespace roipool::cli
