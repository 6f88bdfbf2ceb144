// Checks of one tensor, or of two against each other, as every operator needs them. Metadata only: no tensor data is read.
#ifndef ROIPOOL_SRC_VALIDATE_TENSOR_H_
#define ROIPOOL_SRC_VALIDATE_TENSOR_H_

#include <cstdint>
#include <span>

#include "names.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// Rank, extents, S7, and strides: their reach and, for a tensor that is written, that elements are apart. The type is checked
/// before, since sizes in bytes depend on it.
Status ValidateLayout(const char* function, const char* name, const TensorLayout& layout, int32_t rank,
                      bool is_written) noexcept;

Status ValidateFloatType(const char* function, const char* name, DataType type) noexcept;

Status ValidateSameType(const char* function, const char* name, DataType type, const char* other_name, DataType other) noexcept;

/// layout.shape[d] equals other.shape[other_d].
Status ValidateSameExtent(const char* function, const char* name, const TensorLayout& layout, int32_t d, const char* other_name,
                          const TensorLayout& other, int32_t other_d) noexcept;

Status ValidateSameShape(const char* function, const char* name, const TensorLayout& layout, const char* other_name,
                         const TensorLayout& other) noexcept;

/// A tensor by its public name, as the checks of pointers take it.
struct NamedTensor {
  const char* name;
  const TensorLayout* layout;
  const void* data;
  bool is_written;
};

/// Pointers that are not null are aligned to their elements, and no written tensor overlaps another (S8, by the memory that
/// each spans). With `must_be_set` a tensor with elements may not have a null pointer.
Status ValidateData(const char* function, std::span<const NamedTensor> tensors, bool must_be_set) noexcept;
/// The same for data that are handles of memory objects, which are equal or apart.
Status ValidateHandles(const char* function, std::span<const NamedTensor> tensors, bool must_be_set) noexcept;

/// The workspace is set, large and aligned enough, and apart from every tensor. Nothing is checked if `needed` is 0.
Status ValidateWorkspace(const Names& names, const void* workspace, uint64_t workspace_size, uint64_t needed,
                         std::span<const NamedTensor> tensors) noexcept;
/// The same for handles.
Status ValidateWorkspaceHandle(const Names& names, const void* workspace, uint64_t workspace_size, uint64_t needed,
                               std::span<const NamedTensor> tensors) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_VALIDATE_TENSOR_H_
