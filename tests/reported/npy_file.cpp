#include "npy_file.h"

#include <cassert>  // missing from the next one
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "halide_image_io.h"

namespace roipool::test {
namespace {

constexpr size_t kPreamble = 10;  // Format 1.0: six bytes of magic, two of version, two with the length of the header.

[[noreturn]] void Refuse(const std::string& path, const std::string& reason) { throw std::runtime_error(path + ": " + reason); }

}  // namespace

Tensor LoadNpy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Refuse(path, "cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.size() < kPreamble || bytes.compare(0, 7, "\x93NUMPY\x01") != 0) Refuse(path, "is no .npy file of format 1.0");
  const size_t length = static_cast<uint8_t>(bytes[8]) + size_t{256} * static_cast<uint8_t>(bytes[9]);

  // Halide's reader of headers; its reader of whole files refuses arrays without elements.
  Halide::Tools::Internal::NpyHeader header;
  if (!header.parse(bytes.substr(kPreamble, length))) Refuse(path, "has a header that cannot be read");
  const bool is_float = header.type_code == 'f';
  if (header.type_bytes != 4 || (!is_float && header.type_code != 'i')) Refuse(path, "holds neither float32 nor int32");

  Tensor tensor(is_float ? DataType::kFloat32 : DataType::kInt32, {header.extents.begin(), header.extents.end()});
  const size_t begin = kPreamble + length, size = static_cast<size_t>(tensor.count()) * 4;
  if (bytes.size() != begin + size) Refuse(path, "has another size than its shape says");
  if (size != 0) std::memcpy(tensor.AddressOf(0), bytes.data() + begin, size);
  return tensor;
}

}  // namespace roipool::test
