// A dense row-major tensor that owns its memory.
#ifndef ROIPOOL_CLI_ARRAY_H_
#define ROIPOOL_CLI_ARRAY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "roipool/tensor.h"

namespace roipool::cli {

struct Array {
  DataType type = DataType::kFloat32;
  std::vector<int64_t> shape;
  std::shared_ptr<void> data;  ///< Null if the array has no elements.
};

/// Memory with arbitrary contents, aligned to 64 bytes. Throws UserError if there is not enough.
Array AllocateArray(DataType type, const std::vector<int64_t>& shape);

int64_t ElementSize(DataType type);
/// The product of the shape, which must fit.
int64_t ElementCount(const Array& array);

/// Views of at most kMaxRank dimensions.
TensorView View(const Array& array);
MutableTensorView MutableView(Array& array);

/// E.g. "(1, 27, 128, 128) f32".
std::string Describe(const Array& array);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_ARRAY_H_
