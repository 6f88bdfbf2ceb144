// Copies between tensors of any strides, element by element, with nothing converted.
#ifndef ROIPOOL_SRC_STRIDED_COPY_H_
#define ROIPOOL_SRC_STRIDED_COPY_H_

#include "roipool/tensor.h"

namespace roipool::internal {

/// Copies between two tensors of four dimensions, equal in type and shape. They must not overlap.
void CopyStrided(const TensorLayout& from_layout, const void* from, const TensorLayout& to_layout, void* to) noexcept;

/// Sets every element of a tensor of four dimensions to +0.
void FillZero(const TensorLayout& layout, void* data) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_STRIDED_COPY_H_
