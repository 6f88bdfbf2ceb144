// The same inputs for everyone who is timed: boxes and features as a detector has them, in the named shapes that all
// measurements of this project use.
#ifndef ROIPOOL_TESTS_BENCH_BENCH_INPUTS_H_
#define ROIPOOL_TESTS_BENCH_BENCH_INPUTS_H_

#include <cstdint>
#include <string>

#include "array.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "shapes.h"

namespace roipool::bench {

using cli::Shape;

/// Prints the message and ends the program unless the status is ok.
void Require(const Status& status);

/// Boxes sorted by image, of sizes spread evenly over their logarithm; random features and gradients; argmax from the forward.
struct BenchInputs {
  explicit BenchInputs(const Shape& shape);
  /// As written by Save().
  BenchInputs(const Shape& shape, const std::string& folder);

  /// Writes each tensor as folder/<shape>_<tensor>.npy, and what should come out: the forward's y, and as grad_input the
  /// gradient that a plain loop computes.
  void Save(const std::string& folder) const;

  RoiPoolGradArgs GradArgs(const cli::Array& grad_output_of_type, cli::Array& grad_input) const;
  RoiPoolArgs PoolArgs(const cli::Array& x_of_type, cli::Array& y_out, cli::Array& argmax_out) const;
  cli::Array NewGradInput(DataType type) const;
  cli::Array NewPooled(DataType type) const;

  Shape shape;
  cli::Array x, rois, argmax, grad_output;  ///< float32, float32, int32, float32
  cli::Array y;                             ///< float32; null if the inputs were loaded.
};

/// The numbers of a float32 array in another type.
cli::Array Converted(const cli::Array& numbers, DataType type);

}  // namespace roipool::bench

#endif  // ROIPOOL_TESTS_BENCH_BENCH_INPUTS_H_
