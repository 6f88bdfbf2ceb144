#include "aclnn_on_cuda.h"

#include <algorithm>

namespace roipool::test {

aclTensor* DescribeTensor(void* data, aclDataType type, const std::vector<int64_t>& shape) {
  return aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND, shape.data(), shape.size(), data);
}

std::string ErrorText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

void AclnnOnCuda::SetUp() {
  if (const std::string reason = WhyNoStandIn(); !reason.empty()) GTEST_SKIP() << reason;
  ResetDriver();
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS) << ErrorText();
  grad_output_ = Upload(grad_output_values_);
  rois_ = Upload(rois_values_);
  argmax_ = Upload(argmax_values_);
  grad_input_ = Upload(std::vector<float>(4, 7.0f));
  const Tensors tensors = Describe(argmax_, grad_input_);
  EXPECT_EQ(aclDestroyAclOpExecutor(Plan(tensors, &workspace_size_)), ACLNN_SUCCESS);
  Destroy(tensors);
  workspace_ = Allocate(workspace_size_);
}

void AclnnOnCuda::TearDown() {
  for (void* block : blocks_) EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << ErrorText();
  if (stream_ == nullptr) return;
  EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS) << ErrorText();
}

void* AclnnOnCuda::Allocate(size_t size) {
  void* block = nullptr;
  EXPECT_EQ(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << ErrorText();
  blocks_.push_back(block);
  return block;
}

void AclnnOnCuda::Free(void* block) {
  EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << ErrorText();
  blocks_.erase(std::find(blocks_.begin(), blocks_.end(), block));
}

void* AclnnOnCuda::UploadBytes(const void* data, size_t size) {
  void* block = Allocate(size);
  EXPECT_EQ(aclrtMemcpy(block, size, data, size, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS) << ErrorText();
  return block;
}

AclnnOnCuda::Tensors AclnnOnCuda::Describe(void* argmax, void* grad_input) const {
  return {DescribeTensor(grad_output_, ACL_FLOAT, {2, 1, 1, 2}), DescribeTensor(grad_input, ACL_FLOAT, {1, 1, 2, 2}),
          DescribeTensor(rois_, ACL_FLOAT, {2, 5}), DescribeTensor(argmax, ACL_INT32, {2, 1, 1, 2})};
}

void AclnnOnCuda::Destroy(const Tensors& tensors) {
  for (const aclTensor* tensor : {tensors.grad_output, tensors.grad_input, tensors.rois, tensors.argmax}) {
    EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS) << ErrorText();
  }
}

aclOpExecutor* AclnnOnCuda::Plan(const Tensors& tensors, uint64_t* workspace_size) {
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(tensors.grad_output, tensors.grad_input, tensors.rois, tensors.argmax,
                                                          1, 2, 1.0, workspace_size, &executor),
            ACLNN_SUCCESS)
      << ErrorText();
  return executor;
}

aclnnStatus AclnnOnCuda::Run(void* argmax, void* grad_input, void* workspace, aclrtStream stream) const {
  uint64_t size = 0;
  const Tensors tensors = Describe(argmax, grad_input);
  aclOpExecutor* executor = Plan(tensors, &size);
  Destroy(tensors);
  return aclnnRoiPoolingGradWithArgMax(workspace, size, executor, stream);
}

std::vector<float> AclnnOnCuda::ResultOn(aclrtStream stream, const void* grad_input) {
  std::vector<float> result(4, -1);
  EXPECT_EQ(aclrtMemcpyAsync(result.data(), 16, grad_input, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << ErrorText();
  return result;
}

void AclnnOnCuda::ExpectLaterRunHidesNoError(void* bad_argmax, void* later_workspace, aclrtStream later_stream) const {
  uint64_t size = 0;
  const Tensors tensors = Describe(bad_argmax, grad_input_);
  aclOpExecutor* executor = Plan(tensors, &size);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  ASSERT_EQ(aclnnRoiPoolingGradWithArgMax(workspace_, size, executor, stream_), 0) << ErrorText();
  ASSERT_EQ(aclSetInputTensorAddr(executor, 2, tensors.argmax, argmax_), ACLNN_SUCCESS) << ErrorText();
  ASSERT_EQ(aclnnRoiPoolingGradWithArgMax(later_workspace, size, executor, later_stream), 0) << ErrorText();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  Destroy(tensors);
  if (later_stream != stream_) {
    EXPECT_EQ(ResultOn(later_stream, grad_input_), expected_);
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), testing::HasSubstr("argmax[0, 0, 0, 1] is 99"));
  EXPECT_EQ(ResultOn(stream_, grad_input_), expected_);
}

}  // namespace roipool::test
