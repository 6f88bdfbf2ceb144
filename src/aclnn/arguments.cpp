#include "arguments.h"

#include <algorithm>
#include <cmath>

#include "checked_math.h"
#include "error.h"
#include "tensor_layout.h"

namespace roipool::aclnn {
namespace {

long long Print(int64_t value) { return static_cast<long long>(value); }

// Whether every element of the view lies in the storage. An empty view always does.
bool FitsStorage(const Tensor& tensor) noexcept {
  if (std::find(tensor.shape, tensor.shape + tensor.rank, 0) != tensor.shape + tensor.rank) return true;
  int64_t last = tensor.offset;
  for (int32_t d = 0; d < tensor.rank; ++d) {
    int64_t reach = 0;
    if (!internal::CheckedMultiply(tensor.shape[d] - 1, tensor.strides[d], &reach) ||
        !internal::CheckedAdd(last, reach, &last)) {
      return false;
    }
  }
  return last < tensor.storage_elements;
}

}  // namespace

int ReadArgument(const char* function, const Parameter& parameter, Argument* argument) {
  const char* name = parameter.name;
  ROIPOOL_ACLNN_CHECK(parameter.handle != nullptr, ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null, must be set", function, name);
  const auto tensor = FindTensor(parameter.handle);
  ROIPOOL_ACLNN_CHECK(tensor != nullptr, ACLNN_ERR_PARAM_INVALID, "%s: %s is no live tensor; was it destroyed?", function,
                      name);
  ROIPOOL_ACLNN_CHECK(tensor->format == ACL_FORMAT_ND, ACLNN_ERR_PARAM_INVALID,
                      "%s: %s has the format %d, must be ACL_FORMAT_ND (2)", function, name, static_cast<int>(tensor->format));
  ROIPOOL_ACLNN_CHECK(FitsStorage(*tensor), ACLNN_ERR_PARAM_INVALID,
                      "%s: %s reaches beyond its storage of %lld elements; check viewDims, stride, offset and storageDims",
                      function, name, Print(tensor->storage_elements));
  argument->data_type = tensor->data_type;
  argument->view.rank = tensor->rank;
  std::copy_n(tensor->shape, tensor->rank, argument->view.shape);
  std::copy_n(tensor->strides, tensor->rank, argument->view.strides);
  int64_t offset_bytes = 0;
  ROIPOOL_ACLNN_CHECK(
      internal::CheckedMultiply(tensor->offset, static_cast<int64_t>(aclDataTypeSize(tensor->data_type)), &offset_bytes),
      ACLNN_ERR_PARAM_INVALID, "%s: %s has the offset %lld, which exceeds 2^63-1 bytes", function, name, Print(tensor->offset));
  argument->bound = {name, parameter.is_output, tensor->storage.load(), offset_bytes};
  argument->view.data = argument->bound.data();
  return ACLNN_SUCCESS;
}

int CheckType(const char* function, Argument* argument, std::initializer_list<aclDataType> allowed,
              const char* words) noexcept {
  ROIPOOL_ACLNN_CHECK(std::find(allowed.begin(), allowed.end(), argument->data_type) != allowed.end(), ACLNN_ERR_PARAM_INVALID,
                      "%s: %s is %s (%d), must be %s", function, argument->bound.name, TypeName(argument->data_type),
                      static_cast<int>(argument->data_type), words);
  switch (argument->data_type) {
    case ACL_FLOAT:
      argument->view.type = DataType::kFloat32;
      break;
    case ACL_FLOAT16:
      argument->view.type = DataType::kFloat16;
      break;
    case ACL_INT64:
      argument->view.type = DataType::kInt64;
      break;
    default:
      argument->view.type = DataType::kInt32;
      break;
  }
  return ACLNN_SUCCESS;
}

int CheckRank(const char* function, const Argument& argument, int32_t rank) noexcept {
  ROIPOOL_ACLNN_CHECK(argument.view.rank == rank, ACLNN_ERR_PARAM_INVALID, "%s: %s has %d dimensions, must have %d", function,
                      argument.bound.name, argument.view.rank, rank);
  return ACLNN_SUCCESS;
}

int CheckSameExtent(const char* function, const Argument& argument, int32_t d, const Argument& other,
                    int32_t other_d) noexcept {
  ROIPOOL_ACLNN_CHECK(argument.view.shape[d] == other.view.shape[other_d], ACLNN_ERR_PARAM_INVALID,
                      "%s: %s.shape[%d] is %lld, must equal %s.shape[%d] (%lld)", function, argument.bound.name, d,
                      Print(argument.view.shape[d]), other.bound.name, other_d, Print(other.view.shape[other_d]));
  return ACLNN_SUCCESS;
}

int CheckRoiColumns(const char* function, const Argument& rois) noexcept {
  ROIPOOL_ACLNN_CHECK(rois.view.shape[1] == 5, ACLNN_ERR_PARAM_INVALID, "%s: %s.shape[1] is %lld, must be 5", function,
                      rois.bound.name, Print(rois.view.shape[1]));
  return ACLNN_SUCCESS;
}

int CheckPooledSize(const char* function, const Argument& argument, const char* h_name, int64_t pooled_h, const char* w_name,
                    int64_t pooled_w) noexcept {
  const struct {
    const char* name;
    int64_t size;
    int32_t dimension;
  } axes[] = {{h_name, pooled_h, 2}, {w_name, pooled_w, 3}};
  for (const auto& axis : axes) {
    ROIPOOL_ACLNN_CHECK(axis.size > 0, ACLNN_ERR_PARAM_INVALID, "%s: %s is %lld, must be above 0", function, axis.name,
                        Print(axis.size));
    ROIPOOL_ACLNN_CHECK(argument.view.shape[axis.dimension] == axis.size, ACLNN_ERR_PARAM_INVALID,
                        "%s: %s.shape[%d] is %lld, must equal %s (%lld)", function, argument.bound.name, axis.dimension,
                        Print(argument.view.shape[axis.dimension]), axis.name, Print(axis.size));
  }
  return ACLNN_SUCCESS;
}

int CheckScale(const char* function, const char* name, double scale) noexcept {
  ROIPOOL_ACLNN_CHECK(std::isfinite(scale) && scale > 0, ACLNN_ERR_PARAM_INVALID, "%s: %s is %g, must be finite and above 0",
                      function, name, scale);
  return ACLNN_SUCCESS;
}

const char* TypeName(aclDataType type) noexcept {
  switch (type) {
    case ACL_FLOAT:
      return "FLOAT";
    case ACL_FLOAT16:
      return "FLOAT16";
    case ACL_INT8:
      return "INT8";
    case ACL_INT32:
      return "INT32";
    case ACL_UINT8:
      return "UINT8";
    case ACL_INT16:
      return "INT16";
    case ACL_UINT16:
      return "UINT16";
    case ACL_UINT32:
      return "UINT32";
    case ACL_INT64:
      return "INT64";
    case ACL_UINT64:
      return "UINT64";
    case ACL_DOUBLE:
      return "DOUBLE";
    case ACL_BOOL:
      return "BOOL";
    case ACL_BF16:
      return "BF16";
    default:
      return "another type";
  }
}

}  // namespace roipool::aclnn
