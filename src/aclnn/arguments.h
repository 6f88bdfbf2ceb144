// Tensors of the C API as the native API takes them, with the checks that every operator's first phase makes.
#ifndef ROIPOOL_SRC_ACLNN_ARGUMENTS_H_
#define ROIPOOL_SRC_ACLNN_ARGUMENTS_H_

#include <cstdint>
#include <initializer_list>

#include "aclnn/aclnn_base.h"
#include "op_executor.h"
#include "roipool/tensor.h"

namespace roipool::aclnn {

/// One tensor parameter of an operator's first phase.
struct Parameter {
  const char* name;
  const aclTensor* handle;
  bool is_output;
};

/// A parameter as it was found: the native view of it, and how an executor binds it.
struct Argument {
  MutableTensorView view;
  BoundTensor bound;
  aclDataType data_type = ACL_DT_UNDEFINED;
};

/// The parameter is set and live, of format ND, and fits into its storage. Its type is checked by CheckType.
int ReadArgument(const char* function, const Parameter& parameter, Argument* argument);

/// The argument's type is one of `allowed`, which `words` name, e.g. "FLOAT or FLOAT16"; sets the view's type.
int CheckType(const char* function, Argument* argument, std::initializer_list<aclDataType> allowed, const char* words) noexcept;

int CheckRank(const char* function, const Argument& argument, int32_t rank) noexcept;

/// shape[d] of both arguments is equal.
int CheckSameExtent(const char* function, const Argument& argument, int32_t d, const Argument& other, int32_t other_d) noexcept;

/// rois.shape[1] is 5.
int CheckRoiColumns(const char* function, const Argument& rois) noexcept;

/// pooled_h and pooled_w are above 0 and equal shape[2] and shape[3], each alone.
int CheckPooledSize(const char* function, const Argument& argument, const char* h_name, int64_t pooled_h, const char* w_name,
                    int64_t pooled_w) noexcept;

int CheckScale(const char* function, const char* name, double scale) noexcept;

/// "FLOAT16" for ACL_FLOAT16, and so on; "another type" for those that no operator here takes.
const char* TypeName(aclDataType type) noexcept;

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_ARGUMENTS_H_
