// What an aclTensor handle stands for.
#ifndef ROIPOOL_SRC_ACLNN_TENSOR_H_
#define ROIPOOL_SRC_ACLNN_TENSOR_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "aclnn/acl_meta.h"
#include "roipool/tensor.h"

namespace roipool::aclnn {

struct Tensor {
  aclDataType data_type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  int32_t rank = 0;
  int64_t shape[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};
  int64_t offset = 0;            ///< Of the first element in the storage, in elements.
  int64_t storage_elements = 0;  ///< The product of storageDims.
  /// Alone in changing after creation: aclSetTensorAddr and its kin write it while other threads may read it.
  std::atomic<void*> storage = nullptr;
};

/// Null, without an error text, if the handle is not live.
std::shared_ptr<Tensor> FindTensor(const aclTensor* tensor);

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_TENSOR_H_
