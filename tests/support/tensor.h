// A tensor with memory of its own, of any strides, that tests fill, hand to the library and look at.
#ifndef ROIPOOL_TESTS_SUPPORT_TENSOR_H_
#define ROIPOOL_TESTS_SUPPORT_TENSOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "guarded_buffer.h"
#include "roipool/tensor.h"

namespace roipool::test {

/// How elements lie in memory.
enum class Strides {
  kContiguous,      ///< Row-major and dense.
  kChannelsLast,    ///< Dimension 1 is innermost.
  kPadded,          ///< Row-major, with a gap behind each index of dimensions 0 and 1.
  kPaddedRows,      ///< The same, and a gap behind each row too.
  kExpanded,        ///< One element for all.
  kExpandedRois,    ///< Dimension 0 has stride 0.
  kNegative,        ///< Every stride is negative.
  kInnermostApart,  ///< The innermost stride is 2.
};

const char* NameOf(Strides strides);

class Tensor {
 public:
  /// All memory is poisoned: elements and the gaps between them.
  Tensor(DataType type, std::vector<int64_t> shape, Strides strides = Strides::kContiguous, Fence fence = Fence::kBehind);
  /// A contiguous tensor of the numbers given in row-major order.
  static Tensor Of(DataType type, std::vector<int64_t> shape, const std::vector<double>& numbers);

  DataType type() const { return layout_.type; }
  const std::vector<int64_t>& shape() const { return shape_; }
  int64_t extent(size_t d) const { return shape_[d]; }
  const TensorLayout& layout() const { return layout_; }
  /// How many elements; those that share memory count each.
  int64_t count() const { return count_; }

  TensorView view() const;
  MutableTensorView mutable_view();

  /// Elements by their row-major position, whatever the strides.
  double Number(int64_t position) const;
  uint64_t Bits(int64_t position) const;
  void SetNumber(int64_t position, double number);
  void SetBits(int64_t position, uint64_t bits);
  void SetAll(double number);
  void* AddressOf(int64_t position) const;

  std::vector<double> Numbers() const;
  /// Every byte, gaps included, for "it was not touched".
  std::vector<std::byte> Bytes() const;
  void MakeReadOnly() { memory_.MakeReadOnly(); }
  /// Empty if guards and gaps are as they were, else what has changed. Reads every gap; call it on small tensors.
  std::string FindDamage() const;

  /// "[2, 0, 1, 6]"
  std::string CoordinatesOf(int64_t position) const;

 private:
  int64_t OffsetOf(int64_t position) const;

  std::vector<int64_t> shape_;
  TensorLayout layout_;
  int64_t count_ = 0;
  int64_t first_ = 0;  ///< Where element (0, 0, ...) lies in the memory, in elements.
  GuardedBuffer memory_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_TENSOR_H_
