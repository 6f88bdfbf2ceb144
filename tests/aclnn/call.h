// One call of the aclnn gradient with sensible tensors, any part of which a test may change before it runs.
#ifndef ROIPOOL_TESTS_ACLNN_CALL_H_
#define ROIPOOL_TESTS_ACLNN_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"

namespace roipool::test {

/// The arguments of aclCreateTensor, with a buffer of the right size behind them.
struct TensorSpec {
  std::vector<int64_t> shape;
  aclDataType type = ACL_FLOAT;
  std::vector<int64_t> strides = {};  ///< Empty: dense.
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_ND;
  std::vector<int64_t> storage = {};  ///< Empty: the shape.
  void* data = nullptr;

  /// Owned by the caller.
  aclTensor* Create() const;
};

/// Frees a tensor when it goes.
class ScopedTensor {
 public:
  explicit ScopedTensor(const TensorSpec& spec) : tensor_(spec.Create()) {}
  ScopedTensor(const ScopedTensor&) = delete;
  ScopedTensor& operator=(const ScopedTensor&) = delete;
  ~ScopedTensor() {
    if (tensor_ != nullptr) aclDestroyTensor(tensor_);
  }
  aclTensor* get() const { return tensor_; }

 private:
  aclTensor* tensor_;
};

/// What a call returned, and what the thread's error text was right after it.
struct Outcome {
  int code = 0;
  std::string text;
};
Outcome Observe(int code);

/// Two images, three channels, four rois of 2x2 bins on a 3x5 map, values 1, argmax 7.
struct GradCall {
  GradCall();

  std::vector<float> grad_output_values, grad_input_values, rois_values;
  std::vector<int32_t> argmax_values;
  TensorSpec grad_output, grad_input, rois, argmax;
  int64_t pooled_h = 2, pooled_w = 2;
  double spatial_scale = 1.0;

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;

  /// Phase 1. The tensors' handles are destroyed before it returns.
  Outcome Plan();
  /// Phase 2, with a workspace of its own.
  Outcome Run();
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_ACLNN_CALL_H_
