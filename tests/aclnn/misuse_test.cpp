// Executors and workspaces used wrongly: an error each time, and never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aclnnop/aclnn_roi_pooling_with_arg_max.h"
#include "call.h"

namespace roipool::test {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST(Misuse, AnExecutorRunsOnce) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  const Outcome outcome = call.Run();
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(outcome.text, HasSubstr("executor is no live executor; it ran already, or was destroyed"));
  EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(call.executor), ACLNN_ERR_PARAM_INVALID);
}

TEST(Misuse, ADestroyedExecutorIsFoundOutAndItsHandleNeverComesBack) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(call.executor), ACLNN_SUCCESS);
  ASSERT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
  EXPECT_EQ(call.Run().code, ACLNN_ERR_PARAM_INVALID);
  aclOpExecutor* stale = call.executor;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
    ASSERT_NE(call.executor, stale);
    ASSERT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
  }
}

TEST(Misuse, AMadeUpExecutorIsNotFollowed) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  aclOpExecutor* real = call.executor;
  int local = 0;
  for (void* made_up : {static_cast<void*>(&local), reinterpret_cast<void*>(1)}) {
    call.executor = static_cast<aclOpExecutor*>(made_up);
    EXPECT_EQ(call.Run().code, ACLNN_ERR_PARAM_INVALID);
  }
  call.executor = nullptr;
  EXPECT_EQ(call.Run().code, ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_EQ(aclDestroyAclOpExecutor(real), ACLNN_SUCCESS);
}

TEST(Misuse, AnExecutorOfAnotherOperator) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  const Outcome outcome = Observe(aclnnRoiPoolingWithArgMax(nullptr, 0, call.executor, nullptr));
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(outcome.text, HasSubstr("executor belongs to another operator"));
  EXPECT_EQ(call.Run().code, ACLNN_SUCCESS);  // It is still there.
}

TEST(Misuse, WorkspaceNullSmallOrMisaligned) {
  alignas(64) char workspace[4096];
  const struct {
    void* workspace;
    int64_t size_difference;
    int code;
    const char* text;
  } cases[] = {
      {nullptr, 0, ACLNN_ERR_PARAM_NULLPTR, "workspace is null"},
      {workspace, -1, ACLNN_ERR_PARAM_INVALID, "workspaceSize is"},
      {workspace + 4, 0, ACLNN_ERR_PARAM_INVALID, "must be a multiple of 64 bytes"},
  };
  for (const auto& wrong : cases) {
    GradCall call;
    ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
    ASSERT_LE(call.workspace_size, 4000u);
    const Outcome outcome = Observe(aclnnRoiPoolingGradWithArgMax(
        wrong.workspace, call.workspace_size + static_cast<uint64_t>(wrong.size_difference), call.executor, nullptr));
    EXPECT_EQ(outcome.code, wrong.code);
    EXPECT_THAT(outcome.text, HasSubstr(wrong.text));
    EXPECT_THAT(call.grad_input_values, Each(77.0f));
    // The executor is freed all the same.
    EXPECT_EQ(call.Run().code, ACLNN_ERR_PARAM_INVALID);
  }
}

TEST(Misuse, AStaleStream) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  alignas(64) char workspace[4096];
  const Outcome outcome = Observe(aclnnRoiPoolingGradWithArgMax(workspace, sizeof(workspace), call.executor, stream));
  EXPECT_EQ(outcome.code, ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(outcome.text, HasSubstr("stream is no live stream"));
  EXPECT_THAT(call.grad_input_values, Each(77.0f));
}

TEST(Misuse, Tensors) {
  const int64_t dims[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, negative[] = {2, -1}, huge[] = {int64_t{1} << 40, int64_t{1} << 40};
  const auto create = [](const int64_t* view, uint64_t rank, const int64_t* strides, int64_t offset) {
    return aclCreateTensor(view, rank, ACL_FLOAT, strides, offset, ACL_FORMAT_ND, view, rank, nullptr);
  };
  EXPECT_EQ(create(nullptr, 2, nullptr, 0), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("aclCreateTensor: viewDims is null, must be set for 2 dimensions"));
  EXPECT_EQ(create(dims, 9, nullptr, 0), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("viewDimsNum is 9, must be at most 8"));
  EXPECT_EQ(create(negative, 2, nullptr, 0), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("viewDims[1] is -1, must be at least 0"));
  EXPECT_EQ(create(huge, 2, nullptr, 0), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("the product of viewDims exceeds 2^63-1"));
  EXPECT_EQ(create(dims, 2, negative, 0), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("stride[1] is -1, must be at least 0"));
  EXPECT_EQ(create(dims, 2, nullptr, -3), nullptr);
  EXPECT_THAT(Observe(0).text, HasSubstr("offset is -3, must be at least 0"));

  aclTensor* tensor = create(dims, 2, nullptr, 0);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclDestroyTensor(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  aclDataType type = ACL_FLOAT;
  EXPECT_EQ(aclGetDataType(tensor, &type), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclGetDataType(nullptr, &type), ACLNN_ERR_PARAM_NULLPTR);
}

}  // namespace
}  // namespace roipool::test
