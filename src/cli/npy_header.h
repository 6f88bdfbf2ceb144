// The header of NumPy's .npy files, checked before anything is allocated.
#ifndef ROIPOOL_CLI_NPY_HEADER_H_
#define ROIPOOL_CLI_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roipool::cli {

struct NpyHeader {
  std::string type;  ///< NumPy's type text, e.g. "<f4".
  std::vector<int64_t> shape;
  int64_t element_count = 0;
  uint64_t payload_offset = 0;  ///< In bytes from the file's begin.
};

/// Reads and checks the header of the file `path`. Throws UserError unless it is a regular file in row-major order, whose shape
/// has at least one and at most kMaxRank dimensions and at most 2^31-1 elements. The type's text is not judged.
NpyHeader ReadNpyHeader(const std::string& path);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_NPY_HEADER_H_
