#include "npy_file.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace roipool::test {

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string NpyHeaderBytes(const std::string& dictionary, size_t alignment) {
  std::string text = dictionary;
  while ((10 + text.size() + 1) % alignment != 0) text += ' ';
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(text.size() & 0xff);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

std::string NpyDictionary(const std::string& type, const std::string& shape, const std::string& fortran_order) {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }";
}

template <typename T>
std::vector<T> ReadNpy(const std::string& path, const std::string& type, const std::string& shape) {
  const std::string bytes = ReadBytes(path);
  const std::string header = NpyHeaderBytes(NpyDictionary(type, shape));
  if (bytes.compare(0, header.size(), header) != 0)
    throw std::runtime_error(path + " has another header: " + bytes.substr(0, 128));
  if ((bytes.size() - header.size()) % sizeof(T) != 0) throw std::runtime_error(path + " ends within an element");
  std::vector<T> values((bytes.size() - header.size()) / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data() + header.size(), values.size() * sizeof(T));
  return values;
}

template std::vector<float> ReadNpy(const std::string&, const std::string&, const std::string&);
template std::vector<double> ReadNpy(const std::string&, const std::string&, const std::string&);
template std::vector<int32_t> ReadNpy(const std::string&, const std::string&, const std::string&);
template std::vector<uint16_t> ReadNpy(const std::string&, const std::string&, const std::string&);

}  // namespace roipool::test
