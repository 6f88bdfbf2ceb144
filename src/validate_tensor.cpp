#include "validate_tensor.h"

#include <array>

#include "make_status.h"
#include "memory_object.h"
#include "roipool/executor.h"
#include "roipool/kernels.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

using Code = StatusCode;

long long Print(int64_t value) { return static_cast<long long>(value); }

// The addresses [begin, end) that a tensor's elements lie in.
struct AddressRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

AddressRange AddressesOf(const NamedTensor& tensor) noexcept {
  ByteSpan span;
  if (tensor.data == nullptr || !BytesSpanned(*tensor.layout, &span)) return {};
  const auto data = reinterpret_cast<uint64_t>(tensor.data);
  return {data + static_cast<uint64_t>(span.begin), data + static_cast<uint64_t>(span.end)};
}

bool Overlap(const AddressRange& a, const AddressRange& b) noexcept {
  return a.begin < a.end && b.begin < b.end && a.begin < b.end && b.begin < a.end;
}

Status RequireData(const char* function, std::span<const NamedTensor> tensors) noexcept {
  for (const NamedTensor& tensor : tensors) {
    int64_t count = 0;
    const bool has_elements = ElementCount(*tensor.layout, &count) && count > 0;
    ROIPOOL_CHECK(!has_elements || tensor.data != nullptr, Code::kNullArgument,
                  "%s: %s.data is null, must be set for a tensor of %lld elements", function, tensor.name, Print(count));
  }
  return {};
}

template <typename Overlaps>
Status RequireApart(const char* function, std::span<const NamedTensor> tensors, const Overlaps& overlaps) noexcept {
  for (const NamedTensor& written : tensors) {
    if (!written.is_written) continue;
    for (const NamedTensor& other : tensors) {
      ROIPOOL_CHECK(&other == &written || !overlaps(written, other), Code::kOverlap,
                    "%s: %s.data is %p and overlaps %s.data (%p), must lie apart from it", function, written.name, written.data,
                    other.name, other.data);
    }
  }
  return {};
}

Status RequireWorkspace(const Names& names, const void* workspace, uint64_t workspace_size, uint64_t needed) noexcept {
  const char* function = names.function;
  ROIPOOL_CHECK(workspace != nullptr, Code::kInvalidWorkspace, "%s: workspace is null, this executor needs %llu bytes",
                function, static_cast<unsigned long long>(needed));
  ROIPOOL_CHECK(workspace_size >= needed, Code::kInvalidWorkspace, "%s: %s is %llu bytes, this executor needs %llu", function,
                names.workspace_size, static_cast<unsigned long long>(workspace_size), static_cast<unsigned long long>(needed));
  return {};
}

template <typename Overlaps>
Status RequireWorkspaceApart(const char* function, const void* workspace, std::span<const NamedTensor> tensors,
                             const Overlaps& overlaps) noexcept {
  for (const NamedTensor& tensor : tensors) {
    ROIPOOL_CHECK(!overlaps(tensor), Code::kOverlap, "%s: workspace is %p and overlaps %s.data (%p), must lie apart from it",
                  function, workspace, tensor.name, tensor.data);
  }
  return {};
}

// In the order of `tensors`, of which no operator has more.
using MemoryObjects = std::array<MemoryObject, 4>;

Status DescribeAll(const char* function, std::span<const NamedTensor> tensors, MemoryObjects* objects) noexcept {
  for (size_t i = 0; i < tensors.size(); ++i) {
    ROIPOOL_RETURN_IF_ERROR(Describe(function, tensors[i].data, &(*objects)[i]));
  }
  return {};
}

}  // namespace

// Type, rank, extents, S7 and strides of one tensor.
Status ValidateLayout(const char* function, const char* name, const TensorLayout& layout, int32_t rank,
                      bool is_written) noexcept {
  ROIPOOL_CHECK(layout.rank == rank, Code::kInvalidArgument, "%s: %s.rank is %d, must be %d", function, name, layout.rank,
                rank);
  for (int32_t d = 0; d < rank; ++d) {
    ROIPOOL_CHECK(layout.shape[d] >= 0, Code::kInvalidArgument, "%s: %s.shape[%d] is %lld, must be at least 0", function, name,
                  d, Print(layout.shape[d]));
  }
  int64_t count = 0;
  const bool fits = ElementCount(layout, &count);
  ROIPOOL_CHECK(fits && count <= kMaxElements, Code::kSizeOverflow,
                "%s: %s has %s%lld elements, must be at most 2147483647; split the call by rois, channels or images", function,
                name, fits ? "" : "over ", fits ? Print(count) : Print(INT64_MAX));
  ByteSpan span;
  ROIPOOL_CHECK(BytesSpanned(layout, &span), Code::kSizeOverflow, "%s: %s.strides reach further than 64-bit byte offsets",
                function, name);
  ROIPOOL_CHECK(!is_written || ElementsAreApart(layout), Code::kOverlap,
                "%s: %s.strides let elements share memory; a tensor that is written needs a place of its own for each element",
                function, name);
  return {};
}

Status ValidateFloatType(const char* function, const char* name, DataType type) noexcept {
  ROIPOOL_CHECK(IsFloat(type), Code::kInvalidArgument, "%s: %s.type is %s (%d), must be f32, f16, bf16 or f64", function, name,
                DataTypeName(type), static_cast<int>(type));
  return {};
}

Status ValidateSameType(const char* function, const char* name, DataType type, const char* other_name,
                        DataType other) noexcept {
  ROIPOOL_CHECK(type == other, Code::kInvalidArgument, "%s: %s.type is %s (%d), must be %s.type (%s)", function, name,
                DataTypeName(type), static_cast<int>(type), other_name, DataTypeName(other));
  return {};
}

Status ValidateSameExtent(const char* function, const char* name, const TensorLayout& layout, int32_t d, const char* other_name,
                          const TensorLayout& other, int32_t other_d) noexcept {
  ROIPOOL_CHECK(layout.shape[d] == other.shape[other_d], Code::kInvalidArgument,
                "%s: %s.shape[%d] is %lld, must equal %s.shape[%d] (%lld)", function, name, d, Print(layout.shape[d]),
                other_name, other_d, Print(other.shape[other_d]));
  return {};
}

Status ValidateSameShape(const char* function, const char* name, const TensorLayout& layout, const char* other_name,
                         const TensorLayout& other) noexcept {
  for (int32_t d = 0; d < layout.rank; ++d) {
    ROIPOOL_RETURN_IF_ERROR(ValidateSameExtent(function, name, layout, d, other_name, other, d));
  }
  return {};
}

Status ValidateData(const char* function, std::span<const NamedTensor> tensors, bool must_be_set) noexcept {
  if (must_be_set) ROIPOOL_RETURN_IF_ERROR(RequireData(function, tensors));
  for (const NamedTensor& tensor : tensors) {
    const auto size = static_cast<uint64_t>(ElementSize(tensor.layout->type));
    ROIPOOL_CHECK(reinterpret_cast<uint64_t>(tensor.data) % size == 0, Code::kInvalidArgument,
                  "%s: %s.data is %p, must be a multiple of its element's %d bytes", function, tensor.name, tensor.data,
                  static_cast<int>(size));
  }
  return RequireApart(function, tensors,
                      [](const NamedTensor& a, const NamedTensor& b) { return Overlap(AddressesOf(a), AddressesOf(b)); });
}

Status ValidateHandles(const char* function, std::span<const NamedTensor> tensors, bool must_be_set) noexcept {
  if (must_be_set) ROIPOOL_RETURN_IF_ERROR(RequireData(function, tensors));
  MemoryObjects objects;
  ROIPOOL_RETURN_IF_ERROR(DescribeAll(function, tensors, &objects));
  const auto object_of = [&](const NamedTensor& tensor) { return objects[static_cast<size_t>(&tensor - tensors.data())]; };
  ROIPOOL_RETURN_IF_ERROR(RequireApart(
      function, tensors, [&](const NamedTensor& a, const NamedTensor& b) { return object_of(a).Overlaps(object_of(b)); }));
  for (const NamedTensor& tensor : tensors) {
    const auto size = static_cast<int64_t>(object_of(tensor).size);
    ByteSpan span;
    ROIPOOL_CHECK(tensor.data == nullptr || (BytesSpanned(*tensor.layout, &span) && span.end <= size), Code::kInvalidArgument,
                  "%s: %s.data is a memory object of %lld bytes, the tensor reaches to byte %lld", function, tensor.name,
                  Print(size), Print(span.end));
  }
  return {};
}

Status ValidateWorkspace(const Names& names, const void* workspace, uint64_t workspace_size, uint64_t needed,
                         std::span<const NamedTensor> tensors) noexcept {
  if (needed == 0) return {};
  ROIPOOL_RETURN_IF_ERROR(RequireWorkspace(names, workspace, workspace_size, needed));
  const auto begin = reinterpret_cast<uint64_t>(workspace);
  ROIPOOL_CHECK(begin % kWorkspaceAlignment == 0, Code::kInvalidWorkspace,
                "%s: workspace is %p, must be a multiple of %d bytes", names.function, workspace,
                static_cast<int>(kWorkspaceAlignment));
  return RequireWorkspaceApart(names.function, workspace, tensors, [&](const NamedTensor& tensor) {
    return Overlap({begin, begin + needed}, AddressesOf(tensor));
  });
}

Status ValidateWorkspaceHandle(const Names& names, const void* workspace, uint64_t workspace_size, uint64_t needed,
                               std::span<const NamedTensor> tensors) noexcept {
  if (needed == 0) return {};
  ROIPOOL_RETURN_IF_ERROR(RequireWorkspace(names, workspace, workspace_size, needed));
  MemoryObject own;
  MemoryObjects objects;
  ROIPOOL_RETURN_IF_ERROR(Describe(names.function, workspace, &own));
  ROIPOOL_RETURN_IF_ERROR(DescribeAll(names.function, tensors, &objects));
  ROIPOOL_RETURN_IF_ERROR(RequireWorkspaceApart(names.function, workspace, tensors, [&](const NamedTensor& tensor) {
    return objects[static_cast<size_t>(&tensor - tensors.data())].Overlaps(own);
  }));
  ROIPOOL_CHECK(own.size >= needed, Code::kInvalidWorkspace,
                "%s: workspace is a memory object of %lld bytes, this executor needs %lld", names.function,
                Print(static_cast<int64_t>(own.size)), Print(static_cast<int64_t>(needed)));
  return {};
}

}  // namespace roipool::internal
