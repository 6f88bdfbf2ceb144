#include "boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "user_error.h"

namespace roipool::cli {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> SplitAtCommas(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const size_t comma = line.find(',');
    fields.push_back(Trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

bool ParseNumber(std::string_view text, float* value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && stop == text.data() + text.size() && std::isfinite(*value);
}

// A header names its columns: no field of it is a number.
bool LooksLikeHeader(const std::vector<std::string_view>& fields) {
  float ignored = 0;
  return std::none_of(fields.begin(), fields.end(), [&](std::string_view field) { return ParseNumber(field, &ignored); });
}

// Returns what is wrong with the line, or an empty text.
std::string ParseBox(const std::vector<std::string_view>& fields, int width, int height, Box* box) {
  if (fields.size() != 4) return fmt::format("has {} fields, must have 4: x1,y1,x2,y2", fields.size());
  const std::array<float*, 4> corners = {&box->x1, &box->y1, &box->x2, &box->y2};
  for (size_t i = 0; i < corners.size(); ++i) {
    if (!ParseNumber(fields[i], corners[i]))
      return fmt::format("has '{}' as field {}, which is not a finite number", fields[i], i + 1);
  }
  if (!(box->x1 < box->x2)) return fmt::format("has x1 = {} and x2 = {}; x1 must be less than x2", box->x1, box->x2);
  if (!(box->y1 < box->y2)) return fmt::format("has y1 = {} and y2 = {}; y1 must be less than y2", box->y1, box->y2);
  if (box->x2 < 0 || box->y2 < 0 || box->x1 >= static_cast<float>(width) || box->y1 >= static_cast<float>(height)) {
    return fmt::format("has a box that lies outside the picture of {} x {} pixels", width, height);
  }
  return {};
}

}  // namespace

float Area(const Box& box) { return (box.x2 - box.x1) * (box.y2 - box.y1); }

float SharedArea(const Box& a, const Box& b) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  return width <= 0 || height <= 0 ? 0 : width * height;
}

std::vector<Box> ParseBoxes(std::istream& text, const std::string& name, int width, int height) {
  std::vector<Box> boxes;
  bool header_allowed = true;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::string_view content = line;
    if (number == 1 && content.starts_with("\xef\xbb\xbf"))
      content.remove_prefix(3);  // The mark that some spreadsheets put first.
    content = Trim(content);
    if (content.empty() || content.starts_with('#')) continue;
    const std::vector<std::string_view> fields = SplitAtCommas(content);
    const bool is_header = header_allowed && LooksLikeHeader(fields);
    header_allowed = false;
    if (is_header) continue;
    Box box;
    const std::string problem = ParseBox(fields, width, height, &box);
    if (!problem.empty()) throw UserError(fmt::format("'{}' line {} {}", name, number, problem));
    boxes.push_back(box);
  }
  if (boxes.empty()) throw UserError(fmt::format("'{}' holds no boxes; give lines x1,y1,x2,y2 in pixels of the picture", name));
  return boxes;
}

std::vector<Box> LoadBoxes(const std::string& path, int width, int height) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError(fmt::format("'{}' is not a file of boxes", path));
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("'{}' cannot be read", path));
  return ParseBoxes(file, path, width, height);
}

Array BoxesToRois(const std::vector<Box>& boxes) {
  Array rois = AllocateArray(DataType::kFloat32, {static_cast<int64_t>(boxes.size()), 5});
  auto* row = static_cast<float*>(rois.data.get());
  for (const Box& box : boxes) {
    for (float value : {0.0f, box.x1, box.y1, box.x2, box.y2}) *row++ = value;
  }
  return rois;
}

}  // namespace roipool::cli
