// Streams of the acl API on a CUDA device, and threads: each error is told once, by who waits for the stream that it came from.
#include <thread>

#include "aclnn_on_cuda.h"
#include "counted_new.h"

namespace roipool::test {
namespace {

using testing::HasSubstr;

int CountCalls(const std::string& function) {
  int count = 0;
  for (const std::string& call : CallsOfDriver()) count += call.substr(0, call.find(' ')) == function;
  return count;
}

class AclnnStreamsOnCuda : public AclnnOnCuda {
 protected:
  void SetUp() override {
    AclnnOnCuda::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(aclrtCreateStream(&second_), ACL_SUCCESS) << ErrorText();
    bad_argmax_ = Upload(std::vector<int32_t>{0, 99, 0, -1});
    second_workspace_ = Allocate(workspace_size_);
    second_grad_input_ = Upload(std::vector<float>(4, 7.0f));
  }
  void TearDown() override {
    if (second_ != nullptr) {
      EXPECT_EQ(aclrtDestroyStream(second_), ACL_SUCCESS) << ErrorText();
    }
    AclnnOnCuda::TearDown();
  }

  aclnnStatus RunBad(aclrtStream stream) const { return Run(bad_argmax_, grad_input_, workspace_, stream); }
  aclnnStatus RunOnSecond(void* argmax) const { return Run(argmax, second_grad_input_, second_workspace_, second_); }
  static void ExpectBadArgmax(aclError error) {
    EXPECT_EQ(error, ACLNN_ERR_PARAM_INVALID);
    EXPECT_THAT(ErrorText(), HasSubstr("argmax[0, 0, 0, 1] is 99"));
  }

  aclrtStream second_ = nullptr;
  void *bad_argmax_ = nullptr, *second_workspace_ = nullptr, *second_grad_input_ = nullptr;
};

TEST_F(AclnnStreamsOnCuda, TellTheirOwnErrors) {
  ASSERT_EQ(RunBad(stream_), 0) << ErrorText();
  ASSERT_EQ(RunOnSecond(argmax_), 0) << ErrorText();
  EXPECT_EQ(ResultOn(second_, second_grad_input_), expected_);
  ExpectBadArgmax(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << ErrorText();
}

TEST_F(AclnnStreamsOnCuda, TheDefaultStreamIsOneOfThem) {
  ASSERT_EQ(RunBad(nullptr), 0) << ErrorText();
  ASSERT_EQ(RunOnSecond(argmax_), 0) << ErrorText();
  EXPECT_EQ(ResultOn(second_, second_grad_input_), expected_);
  ExpectBadArgmax(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclnnStreamsOnCuda, WaitingForTheDeviceTellsTheOldestErrorAndLeavesTheOthers) {
  void* const other_bad_argmax = Upload(std::vector<int32_t>{0, 3, 0, -5});
  ASSERT_EQ(RunOnSecond(other_bad_argmax), 0) << ErrorText();
  ASSERT_EQ(RunBad(stream_), 0) << ErrorText();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("argmax[1, 0, 0, 1] is -5"));
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS) << "told once";
  ExpectBadArgmax(aclrtSynchronizeStream(stream_));
}

TEST_F(AclnnStreamsOnCuda, AnExecutorsErrorStaysWithTheStreamOfItsRun) {
  ExpectLaterRunHidesNoError(bad_argmax_, second_workspace_, second_);
}

TEST_F(AclnnStreamsOnCuda, CallsInOneStreamMayShareAWorkspace) {
  void* const other_argmax = Upload(std::vector<int32_t>{1, 1, 2, 3});
  ASSERT_EQ(Run(other_argmax, second_grad_input_, workspace_, stream_), 0) << ErrorText();
  ASSERT_EQ(Run(argmax_, grad_input_, workspace_, stream_), 0) << ErrorText();
  EXPECT_EQ(ResultOn(stream_, second_grad_input_), (std::vector<float>{0, 3, 3, 4}));
  EXPECT_EQ(ResultOn(stream_, grad_input_), expected_);
}

// Freeing waits for everything, but the error is not its own.
TEST_F(AclnnStreamsOnCuda, FreeingInAnotherThreadTakesNoError) {
  for (int i = 0; i < 200; ++i) {
    void* block = nullptr;
    ASSERT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << ErrorText();
    ASSERT_EQ(RunBad(stream_), 0) << ErrorText();
    std::thread other([block] { EXPECT_EQ(aclrtFree(block), ACL_SUCCESS) << ErrorText(); });
    ExpectBadArgmax(aclrtSynchronizeStream(stream_));
    other.join();
  }
}

TEST_F(AclnnStreamsOnCuda, ThreadsWithTheirOwnStreamsDoNotMeet) {
  const auto work = [&](aclrtStream stream, void* grad_input, void* workspace, int bad_rounds) {
    for (int i = 0; i < 30; ++i) {
      const bool is_bad = i % 2 == bad_rounds;
      void* block = nullptr;
      ASSERT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << ErrorText();
      ASSERT_EQ(Run(is_bad ? bad_argmax_ : argmax_, grad_input, workspace, stream), 0) << ErrorText();
      if (is_bad) {
        ASSERT_EQ(aclrtFree(block), ACL_SUCCESS) << ErrorText();
        ExpectBadArgmax(aclrtSynchronizeStream(stream));
      } else {
        ASSERT_EQ(ResultOn(stream, grad_input), expected_);
        ASSERT_EQ(aclrtFree(block), ACL_SUCCESS) << ErrorText();
      }
    }
  };
  std::thread first(work, stream_, grad_input_, workspace_, 0);
  std::thread second(work, second_, second_grad_input_, second_workspace_, 1);
  first.join();
  second.join();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << ErrorText();
}

TEST_F(AclnnStreamsOnCuda, DestructionTellsWhatNobodyWaitedFor) {
  ASSERT_EQ(RunBad(second_), 0) << ErrorText();
  ExpectBadArgmax(aclrtDestroyStream(second_));
  EXPECT_EQ(aclrtDestroyStream(second_), ACL_ERROR_RT_PARAM_INVALID);
  second_ = nullptr;
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << ErrorText();
}

TEST_F(AclnnStreamsOnCuda, DestructionThatCannotBeginLeavesTheStreamAsItWas) {
  ASSERT_EQ(RunBad(second_), 0) << ErrorText();
  FailCall("cuCtxPushCurrent_v2", 1, 719);
  EXPECT_EQ(aclrtDestroyStream(second_), ACL_ERROR_RT_INTERNAL_ERROR);
  ResultOn(stream_, grad_input_);  // Another stream's waiting takes nothing.
  ExpectBadArgmax(aclrtDestroyStream(second_));
  EXPECT_EQ(CountCalls("cuStreamDestroy_v2"), 1);
  second_ = nullptr;
}

TEST_F(AclnnStreamsOnCuda, DestructionTellsTheOlderOfTwoErrors) {
  ASSERT_EQ(RunBad(second_), 0) << ErrorText();
  FailCall("cuStreamDestroy_v2", 1, 719);
  ExpectBadArgmax(aclrtDestroyStream(second_));
  ASSERT_EQ(aclrtCreateStream(&second_), ACL_SUCCESS) << ErrorText();
  FailCall("cuStreamDestroy_v2", 1, 719);
  EXPECT_EQ(aclrtDestroyStream(second_), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_THAT(ErrorText(), HasSubstr("aclrtDestroyStream: cuStreamDestroy_v2 returned CUDA_ERROR_LAUNCH_FAILED (719)"));
  second_ = nullptr;
}

TEST_F(AclnnStreamsOnCuda, CreationWithoutMemoryLeavesNoStreamBehind) {
  int failures = 0;
  for (aclError error = ACL_ERROR_BAD_ALLOC; error != ACL_SUCCESS; ++failures) {
    ASSERT_LT(failures, 100);
    ResetDriver();
    aclrtStream stream = nullptr;
    FailAllocation(failures + 1);
    error = aclrtCreateStream(&stream);
    FailAllocation(0);
    if (error == ACL_SUCCESS) {
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS) << ErrorText();
    } else {
      EXPECT_EQ(error, ACL_ERROR_BAD_ALLOC) << ErrorText();
      EXPECT_EQ(stream, nullptr);
    }
    EXPECT_EQ(CountCalls("cuStreamCreate"), CountCalls("cuStreamDestroy_v2")) << failures;
  }
  EXPECT_GT(failures, 1);
}

// The run is on the stream or it is not: no error is lost between the two.
TEST_F(AclnnStreamsOnCuda, ACallWithoutMemoryRunsNothing) {
  int failures = 0;
  for (aclnnStatus status = ACLNN_ERR_RUNTIME_ERROR; status != ACLNN_SUCCESS; ++failures) {
    ASSERT_LT(failures, 100);
    uint64_t size = 0;
    const Tensors tensors = Describe(bad_argmax_, grad_input_);
    aclOpExecutor* executor = Plan(tensors, &size);
    Destroy(tensors);
    ResetDriver();
    FailAllocation(failures + 1);
    status = aclnnRoiPoolingGradWithArgMax(workspace_, size, executor, stream_);
    FailAllocation(0);
    if (status == ACLNN_SUCCESS) break;
    EXPECT_EQ(status, ACLNN_ERR_RUNTIME_ERROR) << ErrorText();
    EXPECT_EQ(CountCalls("cuLaunchKernel"), 0) << failures;
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << ErrorText();
  }
  EXPECT_GT(failures, 0);
  ExpectBadArgmax(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace roipool::test
