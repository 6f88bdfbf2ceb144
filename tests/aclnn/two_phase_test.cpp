// Normal use of both aclnn operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "aclnnop/aclnn_roi_pooling_with_arg_max.h"
#include "call.h"

namespace roipool::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(TwoPhases, TheGradientOverwritesGradInputRef) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  const Outcome outcome = call.Run();
  ASSERT_EQ(outcome.code, ACLNN_SUCCESS) << outcome.text;
  for (size_t i = 0; i < call.grad_input_values.size(); ++i) {
    // Two rois an image, four bins each, all of which chose pixel 7.
    EXPECT_EQ(call.grad_input_values[i], i % 15 == 7 ? 8.0f : 0.0f) << i;
  }
}

TEST(TwoPhases, ViewsWithOffsetStridesAndLargerStorage) {
  GradCall call;
  // grad_output as (R, C, 2, 2) inside (R, C, 2, 3), from the second column on.
  std::vector<float> wide(4 * 3 * 2 * 3, -1000.0f);
  for (size_t i = 0; i < wide.size(); ++i) {
    if (i % 3 != 0) wide[i] = 1.0f;
  }
  call.grad_output.data = wide.data();
  call.grad_output.strides = {18, 6, 3, 1};
  call.grad_output.offset = 1;
  call.grad_output.storage = {4, 3, 2, 3};
  // grad_input channels last, behind 10 other elements.
  std::vector<float> channels_last(10 + 2 * 15 * 3 + 5, 77.0f);
  call.grad_input.data = channels_last.data();
  call.grad_input.strides = {45, 1, 15, 3};
  call.grad_input.offset = 10;
  call.grad_input.storage = {static_cast<int64_t>(channels_last.size())};
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  const Outcome outcome = call.Run();
  ASSERT_EQ(outcome.code, ACLNN_SUCCESS) << outcome.text;
  for (size_t i = 0; i < channels_last.size(); ++i) {
    const bool inside = i >= 10 && i < 100;
    EXPECT_EQ(channels_last[i], !inside ? 77.0f : (i - 10) / 3 % 15 == 7 ? 8.0f : 0.0f) << i;
  }
}

TEST(TwoPhases, AnAddressMayComeLater) {
  GradCall with_addresses, without;
  ASSERT_EQ(with_addresses.Plan().code, ACLNN_SUCCESS);
  for (TensorSpec* spec : {&without.grad_output, &without.grad_input, &without.rois, &without.argmax}) spec->data = nullptr;
  ASSERT_EQ(without.Plan().code, ACLNN_SUCCESS);
  EXPECT_EQ(without.workspace_size, with_addresses.workspace_size);
  EXPECT_GT(without.workspace_size, 0u);
  EXPECT_EQ(aclDestroyAclOpExecutor(with_addresses.executor), ACLNN_SUCCESS);

  const Outcome outcome = without.Run();
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_THAT(outcome.text, HasSubstr("gradOutput.data is null"));
}

TEST(TwoPhases, ARepeatableExecutorTakesNewAddresses) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(call.executor), ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);

  std::vector<float> twos(48, 2.0f), other_rois = call.rois_values, other_result(90, 77.0f);
  std::vector<int32_t> other_argmax(48, 9);
  ScopedTensor grad_output(call.grad_output), grad_input(call.grad_input), rois(call.rois), argmax(call.argmax);
  EXPECT_EQ(aclSetInputTensorAddr(call.executor, 0, grad_output.get(), twos.data()), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetInputTensorAddr(call.executor, 1, rois.get(), other_rois.data()), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetTensorAddr(call.executor, 2, argmax.get(), other_argmax.data()), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetOutputTensorAddr(call.executor, 0, grad_input.get(), other_result.data()), ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  EXPECT_EQ(other_result[9], 16.0f);
  EXPECT_EQ(std::accumulate(other_result.begin(), other_result.end(), 0.0f), 6 * 16.0f);

  // Inputs come before the output, whatever their place in the parameter list.
  EXPECT_EQ(aclSetTensorAddr(call.executor, 3, grad_input.get(), call.grad_input_values.data()), ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  EXPECT_EQ(call.grad_input_values, other_result);

  EXPECT_EQ(aclSetInputTensorAddr(call.executor, 3, grad_output.get(), twos.data()), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetOutputTensorAddr(call.executor, 1, grad_output.get(), twos.data()), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetTensorAddr(call.executor, 4, grad_output.get(), twos.data()), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(Observe(0).text, HasSubstr("index is 4, which names no tensor of this executor"));
  EXPECT_EQ(aclSetTensorAddr(call.executor, 0, nullptr, twos.data()), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_EQ(aclSetTensorAddr(nullptr, 0, grad_output.get(), twos.data()), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
}

TEST(TwoPhases, NoRoisZeroGradInputRefWithoutWorkspace) {
  GradCall call;
  call.grad_output.shape[0] = call.argmax.shape[0] = call.rois.shape[0] = 0;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  EXPECT_EQ(call.workspace_size, 0u);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  EXPECT_THAT(call.grad_input_values, Each(0.0f));
}

TEST(TwoPhases, Float16GradientsWithFloat32RoisAndInt64Argmax) {
  GradCall call;
  std::vector<aclFloat16> halves(48, aclFloatToFloat16(0.5f)), result(90, 0xffff);
  std::vector<int64_t> argmax(48, 3);
  argmax[0] = -1;
  call.grad_output.type = call.grad_input.type = ACL_FLOAT16;
  call.grad_output.data = halves.data();
  call.grad_input.data = result.data();
  call.argmax.type = ACL_INT64;
  call.argmax.data = argmax.data();
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  EXPECT_EQ(aclFloat16ToFloat(result[3]), 3.5f);
  EXPECT_EQ(aclFloat16ToFloat(result[15 + 3]), 4.0f);
}

TEST(TwoPhases, AnArgmaxOfTheGradientsType) {
  GradCall call;
  std::vector<float> argmax(48, 14.0f);
  call.argmax.type = ACL_FLOAT;
  call.argmax.data = argmax.data();
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
  EXPECT_EQ(call.grad_input_values[14], 8.0f);
}

TEST(TwoPhases, TheForwardMakesTheArgmaxOfTheGradient) {
  // Two bins of one row each; x2 is inclusive, so the box covers rows 0 to 1 and columns 0 to 2.
  std::vector<float> x = {1, 9, 3, 4, 5, 9}, rois_values = {0, 0, 0, 2, 1}, y(2, -7.0f);
  std::vector<int32_t> argmax_values(2, -7);
  ScopedTensor x_tensor({{1, 1, 2, 3}, ACL_FLOAT, {}, 0, ACL_FORMAT_ND, {}, x.data()});
  ScopedTensor rois({{1, 5}, ACL_FLOAT, {}, 0, ACL_FORMAT_ND, {}, rois_values.data()});
  ScopedTensor y_tensor({{1, 1, 2, 1}, ACL_FLOAT, {}, 0, ACL_FORMAT_ND, {}, y.data()});
  ScopedTensor argmax({{1, 1, 2, 1}, ACL_INT32, {}, 0, ACL_FORMAT_ND, {}, argmax_values.data()});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](int64_t pooled_h, float scale) {
    return Observe(aclnnRoiPoolingWithArgMaxGetWorkspaceSize(x_tensor.get(), rois.get(), pooled_h, 1, scale, 1.0f,
                                                             y_tensor.get(), argmax.get(), &size, &executor));
  };
  EXPECT_THAT(plan(3, 1.0f).text, HasSubstr("y.shape[2] is 2, must equal pooled_h (3)"));
  EXPECT_THAT(plan(2, -1.0f).text, HasSubstr("spatial_scale_h is -1, must be finite and above 0"));
  ASSERT_EQ(plan(2, 1.0f).code, ACLNN_SUCCESS);
  void* workspace = nullptr;
  ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  EXPECT_EQ(aclnnRoiPoolingWithArgMax(workspace, size, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_THAT(y, ElementsAre(9.0f, 9.0f));
  EXPECT_THAT(argmax_values, ElementsAre(1, 5));
  EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
}

TEST(TwoPhases, BadContentsAreFoundInPhaseTwo) {
  GradCall call;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  call.rois_values[15] = 9;  // After phase 1 has seen a good one.
  Outcome outcome = call.Run();
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(outcome.text, HasSubstr("aclnnRoiPoolingGradWithArgMax: rois[3, 0] is 9"));
  EXPECT_THAT(call.grad_input_values, Each(77.0f));

  call.rois_values[15] = 0;
  call.argmax_values[47] = 15;
  ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
  outcome = call.Run();
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(outcome.text, HasSubstr("argmax[3, 2, 1, 1] is 15, must be -1 or a whole number in [0, 15)"));
}

}  // namespace
}  // namespace roipool::test
