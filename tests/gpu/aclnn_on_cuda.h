// Calls of the C API's gradient on the stand-in for a CUDA device.
#ifndef ROIPOOL_TESTS_GPU_ACLNN_ON_CUDA_H_
#define ROIPOOL_TESTS_GPU_ACLNN_ON_CUDA_H_

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"
#include "driver_stand_in.h"

namespace roipool::test {

/// A dense tensor, which the caller destroys.
aclTensor* DescribeTensor(void* data, aclDataType type, const std::vector<int64_t>& shape);

/// This thread's last error text, which is forgotten; empty if there is none.
std::string ErrorText();

/// Two rois of one image of 2x2 pixels, one channel, 1x2 bins.
class AclnnOnCuda : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Device memory that the test frees at its end, unless Free() did.
  void* Allocate(size_t size);
  void Free(void* block);
  template <typename T>
  void* Upload(const std::vector<T>& values) {
    return UploadBytes(values.data(), values.size() * sizeof(T));
  }
  void* UploadBytes(const void* data, size_t size);

  struct Tensors {
    aclTensor *grad_output, *grad_input, *rois, *argmax;
  };
  /// The caller destroys them.
  Tensors Describe(void* argmax, void* grad_input) const;
  static void Destroy(const Tensors& tensors);
  /// Phase 1.
  static aclOpExecutor* Plan(const Tensors& tensors, uint64_t* workspace_size);
  /// Both phases; the error of the second.
  aclnnStatus Run(void* argmax, void* grad_input, void* workspace, aclrtStream stream) const;
  aclnnStatus Run() const { return Run(argmax_, grad_input_, workspace_, stream_); }

  /// A repeatable executor runs on `bad_argmax`, then on the good one elsewhere, and is destroyed: its first run's error is
  /// still the first stream's.
  void ExpectLaterRunHidesNoError(void* bad_argmax, void* later_workspace, aclrtStream later_stream) const;

  /// The gradient, copied on the stream, which is waited for: an error of that is the test's.
  static std::vector<float> ResultOn(aclrtStream stream, const void* grad_input);

  std::vector<float> grad_output_values_ = {1, 2, 3, 4}, rois_values_ = {0, 0, 2, 0, 2, 0, 0, 2, 0, 2};
  std::vector<int32_t> argmax_values_ = {0, 3, 0, -1};
  std::vector<float> expected_ = {4, 0, 0, 2};
  aclrtStream stream_ = nullptr;
  uint64_t workspace_size_ = 0;
  void *grad_output_ = nullptr, *rois_ = nullptr, *argmax_ = nullptr, *grad_input_ = nullptr, *workspace_ = nullptr;

 private:
  std::vector<void*> blocks_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_GPU_ACLNN_ON_CUDA_H_
