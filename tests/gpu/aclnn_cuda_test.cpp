// The acl API on a CUDA device: memory, streams, both phases, and errors that come from waiting.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"
#include "driver_stand_in.h"

namespace roipool::test {
namespace {

// Two rois of one image of 2x2 pixels, one channel, 1x2 bins.
class AclnnOnCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = WhyNoStandIn(); !reason.empty()) GTEST_SKIP() << reason;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    grad_output_ = Upload(grad_output_values_);
    rois_ = Upload(rois_values_);
    argmax_ = Upload(argmax_values_);
    grad_input_ = Upload(std::vector<float>(4, 7.0f));
  }
  void TearDown() override {
    for (void* block : {grad_output_, rois_, argmax_, grad_input_, workspace_}) {
      if (block == nullptr) continue;
      EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << aclGetRecentErrMsg();
    }
    if (stream_ == nullptr) return;
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS) << aclGetRecentErrMsg();
  }

  template <typename T>
  static void* Upload(const std::vector<T>& values) {
    void* block = nullptr;
    EXPECT_EQ(aclrtMalloc(&block, values.size() * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << aclGetRecentErrMsg();
    EXPECT_EQ(
        aclrtMemcpy(block, values.size() * sizeof(T), values.data(), values.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE),
        ACL_SUCCESS)
        << aclGetRecentErrMsg();
    return block;
  }

  static aclTensor* Describe(void* data, aclDataType type, const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * shape[d];
    return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, shape.data(), shape.size(),
                           data);
  }

  // Both phases; the error of the second.
  aclnnStatus Run() {
    aclTensor* tensors[] = {Describe(grad_output_, ACL_FLOAT, {2, 1, 1, 2}), Describe(grad_input_, ACL_FLOAT, {1, 1, 2, 2}),
                            Describe(rois_, ACL_FLOAT, {2, 5}), Describe(argmax_, ACL_INT32, {2, 1, 1, 2})};
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(tensors[0], tensors[1], tensors[2], tensors[3], 1, 2, 1.0, &size,
                                                            &executor),
              0)
        << aclGetRecentErrMsg();
    for (const aclTensor* tensor : tensors) aclDestroyTensor(tensor);
    EXPECT_EQ(aclrtMalloc(&workspace_, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    return aclnnRoiPoolingGradWithArgMax(workspace_, size, executor, stream_);
  }

  std::vector<float> grad_output_values_ = {1, 2, 3, 4}, rois_values_ = {0, 0, 2, 0, 2, 0, 0, 2, 0, 2};
  std::vector<int32_t> argmax_values_ = {0, 3, 0, -1};
  aclrtStream stream_ = nullptr;
  void *grad_output_ = nullptr, *rois_ = nullptr, *argmax_ = nullptr, *grad_input_ = nullptr, *workspace_ = nullptr;
};

TEST_F(AclnnOnCuda, ComputesInTheStreamsOrder) {
  std::vector<float> result(4, -1);
  ASSERT_EQ(Run(), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtMemcpyAsync(result.data(), 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS)
      << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << aclGetRecentErrMsg();
  EXPECT_EQ(result, (std::vector<float>{4, 0, 0, 2}));
}

TEST_F(AclnnOnCuda, BadContentsAreAnErrorOfWaiting) {
  const int32_t bad = 4;
  ASSERT_EQ(aclrtMemcpy(static_cast<char*>(argmax_) + 4, 4, &bad, 4, ACL_MEMCPY_DEFAULT), ACL_SUCCESS) << aclGetRecentErrMsg();
  ASSERT_EQ(Run(), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("argmax[0, 0, 0, 1] is 4, must be -1 or a whole number in [0, 4)"),
            std::string::npos)
      << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "told once";
}

TEST_F(AclnnOnCuda, ErrorsOutliveTheirMemory) {
  const int32_t bad = -7;
  ASSERT_EQ(aclrtMemcpy(argmax_, 4, &bad, 4, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(Run(), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtFree(workspace_), ACL_SUCCESS) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtFree(argmax_), ACL_SUCCESS) << aclGetRecentErrMsg();
  workspace_ = argmax_ = nullptr;
  EXPECT_EQ(aclrtSynchronizeDevice(), ACLNN_ERR_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("argmax[0, 0, 0, 0] is -7"), std::string::npos) << aclGetRecentErrMsg();
}

TEST_F(AclnnOnCuda, MistakesWithMemoryAreErrors) {
  float host[4] = {};
  EXPECT_EQ(aclrtMemcpy(grad_input_, 16, host, 16, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(host, 32, grad_input_, 32, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID)
      << "past the block's end";
  EXPECT_EQ(aclrtMemset(grad_input_, 16, 0, 16), ACL_SUCCESS) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS) << aclGetRecentErrMsg();
  EXPECT_EQ(host[3], 0.0f);
  EXPECT_EQ(aclrtFree(static_cast<char*>(grad_input_) + 4), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclnnOnCuda, EveryErrorOfTheDriverIsACode) {
  void* block = nullptr;
  FailCall("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(block, nullptr);
  FailCall("cuStreamCreate", 1, 719);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_INTERNAL_ERROR);
  const std::string message = aclGetRecentErrMsg();  // Which forgets it.
  EXPECT_NE(message.find("aclrtCreateStream: cuStreamCreate returned CUDA_ERROR_LAUNCH_FAILED (719)"), std::string::npos)
      << message;
  FailCall("cuStreamSynchronize", 1, 700);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  FailCall("cuMemcpyDtoH_v2", 1, 719);
  float host[4] = {};
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_INTERNAL_ERROR);
  FailCall("cuMemFree_v2", 1, 1);
  EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(block), ACL_ERROR_RT_INTERNAL_ERROR);
}

}  // namespace
}  // namespace roipool::test
