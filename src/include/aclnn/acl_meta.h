/* Tensors and executors of the aclnn API. C11 and C++11.
 *
 * Each function returns ACLNN_SUCCESS or a code of aclnn_base.h, with the text in aclGetRecentErrMsg(). All are thread-safe. */
#ifndef ROIPOOL_ACLNN_ACL_META_H_
#define ROIPOOL_ACLNN_ACL_META_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclTensor aclTensor;
typedef struct aclOpExecutor aclOpExecutor;
typedef int32_t aclnnStatus;

/* A view of `tensorData`, which stays the caller's. Shapes and strides are copied.
 *
 * stride: in elements, one per dimension; null means dense and row-major. offset: of the view's first element in the storage.
 * storageDims: what lies in memory; the view must fit into it. tensorData: the storage's first byte; null if the address comes
 * later. Returns null, with a text, on bad arguments. Freed by aclDestroyTensor; executors made from it do not need it any
 * more. */
ACL_FUNC_VISIBILITY aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                                               const int64_t* stride, int64_t offset, aclFormat format,
                                               const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor* tensor);

/* *viewDims and *stridesValue are arrays that the caller frees, with delete[] in C++ and with free() in C. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum);
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum);
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType);

/* An executor runs once and is freed by its run, unless this is called between the two phases: then it runs any number of
 * times, until aclDestroyAclOpExecutor. On a GPU a run on another stream than the last one's waits for the runs before it. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);

/* Gives an executor (and `tensor`) another storage address for its next run; type, shape and strides stay. `index` counts the
 * inputs, the outputs, or the inputs and then the outputs, in the order of the first phase's parameters; a tensor that is both,
 * like gradInputRef, counts as an output. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                                      void* addr);
ACL_FUNC_VISIBILITY aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                                       void* addr);
ACL_FUNC_VISIBILITY aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACLNN_ACL_META_H_ */
