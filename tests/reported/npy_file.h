// NumPy files as tensors.
#ifndef ROIPOOL_TESTS_REPORTED_NPY_FILE_H_
#define ROIPOOL_TESTS_REPORTED_NPY_FILE_H_

#include <string>

#include "tensor.h"

namespace roipool::test {

/// A float32 or int32 array. Throws std::runtime_error, which names the file, if it is missing or anything else.
Tensor LoadNpy(const std::string& path);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_REPORTED_NPY_FILE_H_
