// .npy files byte by byte, right and wrong ones, without any code of the program.
#ifndef ROIPOOL_TESTS_CLI_NPY_FILE_H_
#define ROIPOOL_TESTS_CLI_NPY_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roipool::test {

std::string ReadBytes(const std::string& path);
void WriteBytes(const std::string& path, const std::string& bytes);

/// The header's start and its dictionary, padded to a multiple of `alignment` bytes.
std::string NpyHeaderBytes(const std::string& dictionary, size_t alignment = 64);

/// E.g. NpyDictionary("<f4", "(2, 3)").
std::string NpyDictionary(const std::string& type, const std::string& shape, const std::string& fortran_order = "False");

/// A whole file; `shape` as in Python, e.g. "(2, 3)". T's bytes are what `type` says.
template <typename T>
std::string NpyBytes(const std::string& type, const std::string& shape, const std::vector<T>& values) {
  return NpyHeaderBytes(NpyDictionary(type, shape)) +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

/// The elements of a file that begins with exactly the header that NumPy writes for this type and shape. Throws
/// std::runtime_error for other files.
template <typename T>
std::vector<T> ReadNpy(const std::string& path, const std::string& type, const std::string& shape);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_CLI_NPY_FILE_H_
