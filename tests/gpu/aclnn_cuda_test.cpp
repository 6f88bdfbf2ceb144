// The acl API on a CUDA device: memory, both phases, and errors that come from waiting.
#include <algorithm>

#include "aclnn_on_cuda.h"
#include "counted_new.h"

namespace roipool::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(AclnnOnCuda, ComputesInTheStreamsOrder) {
  ASSERT_EQ(Run(), 0) << ErrorText();
  EXPECT_EQ(ResultOn(stream_, grad_input_), expected_);
}

TEST_F(AclnnOnCuda, BadContentsAreAnErrorOfWaiting) {
  const int32_t bad = 4;
  ASSERT_EQ(aclrtMemcpy(static_cast<char*>(argmax_) + 4, 4, &bad, 4, ACL_MEMCPY_DEFAULT), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(Run(), 0) << ErrorText();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("argmax[0, 0, 0, 1] is 4, must be -1 or a whole number in [0, 4)"));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "told once";
}

TEST_F(AclnnOnCuda, ErrorsOutliveTheirMemory) {
  const int32_t bad = -7;
  ASSERT_EQ(aclrtMemcpy(argmax_, 4, &bad, 4, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(Run(), 0) << ErrorText();
  Free(workspace_);
  Free(argmax_);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("argmax[0, 0, 0, 0] is -7"));
}

TEST_F(AclnnOnCuda, MistakesWithMemoryAreErrors) {
  float host[4] = {};
  EXPECT_EQ(aclrtMemcpy(grad_input_, 16, host, 16, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(host, 32, grad_input_, 32, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID)
      << "past the block's end";
  EXPECT_EQ(aclrtMemset(grad_input_, 16, 0, 16), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(host[3], 0.0f);
  EXPECT_EQ(aclrtFree(static_cast<char*>(grad_input_) + 4), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclnnOnCuda, EveryErrorOfTheDriverIsACode) {
  void* block = nullptr;
  FailCall("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(block, nullptr);
  FailCall("cuMemHostAlloc", 1, 2);
  EXPECT_EQ(aclrtMallocHost(&block, 64), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(block, nullptr);
  FailCall("cuStreamCreate", 1, 719);
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_THAT(ErrorText(), HasSubstr("aclrtCreateStream: cuStreamCreate returned CUDA_ERROR_LAUNCH_FAILED (719)"));
  EXPECT_EQ(stream, nullptr);
  FailCall("cuStreamSynchronize", 1, 700);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  float host[4] = {};
  FailCall("cuStreamSynchronize", 1, 700);
  EXPECT_EQ(aclrtMemcpyAsync(host, 8, host + 2, 8, ACL_MEMCPY_HOST_TO_HOST, stream_), ACL_ERROR_RT_INTERNAL_ERROR);
  FailCall("cuMemcpyDtoH_v2", 1, 719);
  EXPECT_EQ(aclrtMemcpy(host, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_INTERNAL_ERROR);
  FailCall("cuMemFree_v2", 1, 1);
  EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(block), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << "it is still there";
  FailCall("cuMemFreeHost", 1, 1);
  EXPECT_EQ(aclrtMallocHost(&block, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(block), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtFreeHost(block), ACL_SUCCESS) << "it is still there";
}

// Only from pinned memory can a copy run beside the host.
TEST_F(AclnnOnCuda, HostMemoryIsPinned) {
  void* host = nullptr;
  ResetDriver();
  ASSERT_EQ(aclrtMallocHost(&host, 100), ACL_SUCCESS) << ErrorText();
  EXPECT_THAT(CallsOfDriver(), Contains(StartsWith("cuMemHostAlloc")));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % 64, 0u);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID) << "it is the host's";
  EXPECT_EQ(aclrtMemcpy(grad_input_, 16, host, 101, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS) << ErrorText();
  EXPECT_THAT(CallsOfDriver(), Contains(StartsWith("cuMemFreeHost")));
  EXPECT_EQ(aclrtFreeHost(host), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclnnOnCuda, ACopyWithinTheHostKeepsTheStreamsOrder) {
  for (const aclrtMemcpyKind kind : {ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_DEFAULT}) {
    std::vector<float> middle(4, 9), last(4, 8);
    ASSERT_EQ(aclrtMemcpyAsync(middle.data(), 16, grad_output_, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemcpyAsync(last.data(), 16, middle.data(), 16, kind, stream_), ACL_SUCCESS) << ErrorText();
    ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << ErrorText();
    EXPECT_EQ(last, grad_output_values_) << kind;
  }
}

// A loop whose only barrier is a copy never asks for errors, and its executors are given up nevertheless.
TEST_F(AclnnOnCuda, CallsNobodyWaitsForDoNotPileUp) {
  const auto live_after = [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      EXPECT_EQ(Run(), 0) << ErrorText();
      float result[4] = {};
      EXPECT_EQ(aclrtMemcpy(result, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS) << ErrorText();
      ResetDriver();  // Its log grows too.
    }
    return LiveAllocations();
  };
  int64_t most = 0;
  for (int i = 0; i < 10; ++i) most = std::max(most, live_after(10));
  EXPECT_LE(live_after(200), most + 100);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << ErrorText();
}

TEST_F(AclnnOnCuda, AnErrorIsKeptThoughCallsFollowThatNobodyWaitsFor) {
  void* const bad = Upload(std::vector<int32_t>{0, 3, 99, -1});
  ASSERT_EQ(Run(bad, grad_input_, Allocate(workspace_size_), stream_), 0) << ErrorText();
  for (int i = 0; i < 150; ++i) {
    ASSERT_EQ(Run(argmax_, grad_input_, workspace_, stream_), 0) << ErrorText();
    float result[4] = {};
    ASSERT_EQ(aclrtMemcpy(result, 16, grad_input_, 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS) << ErrorText();
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("argmax[1, 0, 0, 0] is 99"));
}

TEST_F(AclnnOnCuda, ALaterCallInTheSameWorkspaceHidesNoError) {
  void* const bad = Upload(std::vector<int32_t>{0, 99, 0, -1});
  ASSERT_EQ(Run(bad, grad_input_, workspace_, stream_), 0) << ErrorText();
  ASSERT_EQ(Run(argmax_, grad_input_, workspace_, stream_), 0) << ErrorText();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("argmax[0, 0, 0, 1] is 99"));
  EXPECT_EQ(ResultOn(stream_, grad_input_), expected_);
}

TEST_F(AclnnOnCuda, TheWorkspaceIsFreeForOthersAfterTheCallInTheStreamsOrder) {
  const std::vector<unsigned char> ones(workspace_size_, 0xff);
  ASSERT_EQ(Run(), 0) << ErrorText();
  ASSERT_EQ(aclrtMemcpyAsync(workspace_, workspace_size_, ones.data(), ones.size(), ACL_MEMCPY_HOST_TO_DEVICE, stream_),
            ACL_SUCCESS)
      << ErrorText();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(ResultOn(stream_, grad_input_), expected_);
}

TEST_F(AclnnOnCuda, AnExecutorsLaterRunHidesNoError) {
  ExpectLaterRunHidesNoError(Upload(std::vector<int32_t>{0, 99, 0, -1}), Allocate(workspace_size_), stream_);
}

}  // namespace
}  // namespace roipool::test
