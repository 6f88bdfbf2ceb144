// What measurements compute on: boxes and numbers as a detector has them, the same in every run.
#ifndef ROIPOOL_CLI_TUNE_INPUTS_H_
#define ROIPOOL_CLI_TUNE_INPUTS_H_

#include <cstdint>
#include <random>

#include "array.h"
#include "shapes.h"

namespace roipool::cli {

/// The same numbers in every run, so that times can be compared.
std::mt19937 InputRandom(uint32_t stream = 0);

/// (R, 5) float32: boxes sorted by image, of sizes spread evenly over their logarithm.
Array MakeRois(const Shape& shape, std::mt19937& random);

/// float32 in [-1, 1).
Array MakeNumbers(const std::vector<int64_t>& shape, std::mt19937& random);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_INPUTS_H_
