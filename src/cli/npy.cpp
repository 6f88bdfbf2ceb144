#include "npy.h"

#include <HalideBuffer.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <halide_image_io.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "npy_header.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

// Halide's reader and writer keep a file's own order of elements and its shape's own order of extents, so its buffers serve
// here as plain memory: what Halide calls dimension 0 is NumPy's first.
using FileBuffer = Halide::Runtime::Buffer<void, Halide::Runtime::AnyDims>;
using ConstFileBuffer = Halide::Runtime::Buffer<const void, Halide::Runtime::AnyDims>;

DataType ToDataType(const std::string& path, const std::string& type, Uint16 uint16) {
  if (type == "<f4") return DataType::kFloat32;
  if (type == "<f2") return DataType::kFloat16;
  if (type == "<f8") return DataType::kFloat64;
  if (type == "<i4") return DataType::kInt32;
  if (type == "<i8") return DataType::kInt64;
  if (type == "<u2" && uint16 == Uint16::kIsBFloat16) return DataType::kBFloat16;
  if (type == "<u2") throw UserError(fmt::format("'{}' holds uint16; give --bf16 if these are the bits of bfloat16", path));
  if (type.starts_with('>'))
    throw UserError(fmt::format("'{}' is big-endian ('{}'); save it with .astype('<{}')", path, type, type.substr(1)));
  throw UserError(fmt::format("'{}' holds elements of NumPy type '{}'; float32, float16, float64, int32 and int64 can be read",
                              path, type));
}

const char* ToNumpyType(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "<f4";
    case DataType::kFloat16:
      return "<f2";
    case DataType::kBFloat16:
      return "<u2";
    case DataType::kFloat64:
      return "<f8";
    case DataType::kInt32:
      return "<i4";
    case DataType::kInt64:
      return "<i8";
  }
  return "";
}

// Version 1.0 with its newline last, as NumPy's format says; the one that Halide writes in the middle makes numpy.load warn.
std::string MakeHeader(const Array& array) {
  constexpr size_t kFixedBytes = 10;
  const char* after_last = array.shape.size() == 1 ? "," : "";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", ToNumpyType(array.type),
                                 fmt::join(array.shape, ", "), after_last);
  text.append(63 - (kFixedBytes + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void CheckFileSize(const std::string& path, const NpyHeader& header, DataType type) {
  const uint64_t expected = header.payload_offset + static_cast<uint64_t>(header.element_count * ElementSize(type));
  std::error_code error;
  const uint64_t actual = std::filesystem::file_size(path, error);
  if (error) throw UserError(fmt::format("'{}' cannot be read: {}", path, error.message()));
  if (actual == expected) return;
  throw UserError(fmt::format("'{}' has {} bytes, but its shape needs {}; the file is {}", path, actual, expected,
                              actual < expected ? "cut off" : "longer than its array"));
}

}  // namespace

Array LoadNpy(const std::string& path, Uint16 uint16) {
  const NpyHeader header = ReadNpyHeader(path);
  Array array{ToDataType(path, header.type, uint16), header.shape, nullptr};
  CheckFileSize(path, header, array.type);
  if (header.element_count == 0) return array;
  auto buffer = std::make_shared<FileBuffer>();
  if (!Halide::Tools::Internal::load_npy<FileBuffer, Halide::Tools::Internal::CheckReturn>(path, buffer.get())) {
    throw UserError(fmt::format("'{}' cannot be read as .npy", path));
  }
  array.data = std::shared_ptr<void>(buffer, buffer->data());
  return array;
}

void SaveNpy(const Array& array, const OutputFile& file) {
  const std::string header = MakeHeader(array);
  std::ofstream stream(file.temporary_path(), std::ios::binary | std::ios::trunc);
  stream.write(header.data(), static_cast<std::streamsize>(header.size()));
  stream.write(static_cast<const char*>(array.data.get()), ElementCount(array) * ElementSize(array.type));
  stream.close();
  if (!stream) throw UserError(fmt::format("cannot write '{}': {}", file.shown_path(), std::strerror(errno)));
}

}  // namespace roipool::cli
