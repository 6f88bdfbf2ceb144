#include "npy_header.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "roipool/tensor.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint32_t kMaxHeaderBytes = 4096;  // NumPy writes 118 to about 250 for the arrays that this program reads.
constexpr int64_t kMaxElements = std::numeric_limits<int32_t>::max();

[[noreturn]] void Fail(const std::string& path, const std::string& problem) {
  throw UserError(fmt::format("'{}' {}", path, problem));
}

std::ifstream OpenRegularFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) Fail(path, "does not exist");
  if (!std::filesystem::is_regular_file(status)) Fail(path, "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return file;
}

// The text of the header's dictionary; `payload_offset` gets where it ends.
std::string ReadHeaderText(const std::string& path, uint64_t* payload_offset) {
  std::ifstream file = OpenRegularFile(path);
  std::array<char, 12> start{};
  file.read(start.data(), 8);
  if (!file || std::string_view(start.data(), kMagic.size()) != kMagic) Fail(path, "is not a .npy file");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0)
    Fail(path, fmt::format("has .npy version {}.{}; 1.0 to 3.0 can be read", version, static_cast<unsigned char>(start[7])));
  const int length_bytes = version == 1 ? 2 : 4;
  file.read(start.data() + 8, length_bytes);
  uint32_t length = 0;
  for (int i = 0; i < length_bytes; ++i) length |= static_cast<uint32_t>(static_cast<unsigned char>(start[8 + i])) << (8 * i);
  if (!file) Fail(path, "ends inside its .npy header");
  if (length > kMaxHeaderBytes)
    Fail(path, fmt::format("has a .npy header of {} bytes; plain arrays need at most {}", length, kMaxHeaderBytes));
  std::string text(length, ' ');
  file.read(text.data(), length);
  if (!file) Fail(path, "ends inside its .npy header");
  *payload_offset = 8u + static_cast<uint64_t>(length_bytes) + length;
  if (*payload_offset % 64 != 0) {
    Fail(path,
         "has a header that is not padded to 64 bytes, as NumPy before 1.14 wrote it; load it and save it again with a newer "
         "one");
  }
  return text;
}

// What follows `'key': ` in the dictionary, or nothing unless the key is there exactly once.
std::optional<std::string_view> ValueOf(std::string_view dictionary, std::string_view key) {
  const std::string quoted = fmt::format("'{}': ", key);
  const size_t at = dictionary.find(quoted);
  if (at == std::string_view::npos || dictionary.find(quoted, at + 1) != std::string_view::npos) return std::nullopt;
  return dictionary.substr(at + quoted.size());
}

std::vector<int64_t> ParseShape(const std::string& path, std::string_view value) {
  const size_t end = value.find(')');
  if (value.empty() || value[0] != '(' || end == std::string_view::npos)
    Fail(path, "has a .npy header whose shape cannot be read");
  std::string_view rest = value.substr(1, end - 1);
  std::vector<int64_t> shape;
  while (!rest.empty()) {
    int64_t extent = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (error != std::errc() || extent < 0)
      Fail(path, fmt::format("has the shape ({}), which cannot be read", value.substr(1, end - 1)));
    shape.push_back(extent);
    rest.remove_prefix(static_cast<size_t>(stop - rest.data()));
    if (!rest.empty() && rest[0] == ',') rest.remove_prefix(1);
    if (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  }
  return shape;
}

int64_t CountElements(const std::string& path, const std::vector<int64_t>& shape) {
  if (shape.empty()) Fail(path, "holds a single number of no dimensions; a tensor is needed");
  if (shape.size() > kMaxRank) Fail(path, fmt::format("has {} dimensions; at most {} are supported", shape.size(), kMaxRank));
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent > kMaxElements || (extent != 0 && count > kMaxElements / extent)) {
      Fail(path, fmt::format("has a shape of more than {} elements, the most that one tensor may have", kMaxElements));
    }
    count *= extent;
  }
  return count;
}

}  // namespace

NpyHeader ReadNpyHeader(const std::string& path) {
  NpyHeader header;
  const std::string text = ReadHeaderText(path, &header.payload_offset);
  const auto type = ValueOf(text, "descr");
  const auto order = ValueOf(text, "fortran_order");
  const auto shape = ValueOf(text, "shape");
  if (!type || !order || !shape) Fail(path, "has a .npy header that cannot be read");
  if (!type->starts_with('\'')) Fail(path, "holds records of several fields; a plain array is needed");
  if (order->starts_with("True")) Fail(path, "is in Fortran order; save it with numpy.ascontiguousarray(...)");
  if (!order->starts_with("False")) Fail(path, "has a .npy header whose fortran_order cannot be read");
  header.type = std::string(type->substr(1, type->find('\'', 1) - 1));
  header.shape = ParseShape(path, *shape);
  header.element_count = CountElements(path, header.shape);
  return header;
}

}  // namespace roipool::cli
