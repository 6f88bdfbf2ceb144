// Questions about where a tensor's elements lie.
#ifndef ROIPOOL_SRC_TENSOR_LAYOUT_H_
#define ROIPOOL_SRC_TENSOR_LAYOUT_H_

#include <cstdint>

#include "roipool/tensor.h"

namespace roipool::internal {

/// S7: the largest number of elements of one tensor.
constexpr int64_t kMaxElements = INT64_C(2147483647);

/// 0 for a value that is no DataType.
int64_t ElementSize(DataType type) noexcept;
bool IsFloat(DataType type) noexcept;

/// The product of the shape. False if it does not fit in 64 bits. The shape must not be negative.
[[nodiscard]] bool ElementCount(const TensorLayout& layout, int64_t* count) noexcept;

/// The bytes [begin, end) around `data` that the elements lie in; both 0 for an empty tensor.
struct ByteSpan {
  int64_t begin = 0;
  int64_t end = 0;
};
/// False if an offset does not fit in 64 bits.
[[nodiscard]] bool BytesSpanned(const TensorLayout& layout, ByteSpan* span) noexcept;

/// Whether no two elements share memory. Sufficient, and exact for layouts made by permuting, slicing and padding dense ones:
/// each stride, in ascending order, must step over all that the smaller ones reach.
bool ElementsAreApart(const TensorLayout& layout) noexcept;

/// Whether a kernel can walk the elements: no negative stride, and every offset below 2^31.
bool FitsKernel(const TensorLayout& layout) noexcept;

/// FitsKernel, and the innermost two of four dimensions are one dense run.
bool HasDensePlanes(const TensorLayout& layout) noexcept;

/// The same tensor with the stride of every dimension of extent 1 set to 0, where it means nothing.
TensorLayout WithoutIdleStrides(TensorLayout layout) noexcept;

/// Row-major and dense, with the type and shape of `layout`.
TensorLayout DenseLike(const TensorLayout& layout) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_TENSOR_LAYOUT_H_
