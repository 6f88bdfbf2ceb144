// Every rule of the gradient's first phase: the code, the argument's public name, the value and the rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "call.h"

namespace roipool::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Rule {
  const char* name;
  std::function<void(GradCall&)> breaks;
  std::vector<const char*> texts;
  int code = ACLNN_ERR_PARAM_INVALID;
};

void PrintTo(const Rule& rule, std::ostream* stream) { *stream << rule.name; }

class Rules : public testing::TestWithParam<Rule> {};

TEST_P(Rules, HasItsOwnCodeAndText) {
  GradCall call;
  GetParam().breaks(call);
  call.workspace_size = 99;
  call.executor = reinterpret_cast<aclOpExecutor*>(99);
  const Outcome outcome = call.Plan();
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.text;
  EXPECT_THAT(outcome.text, StartsWith("aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize: "));
  for (const char* text : GetParam().texts) EXPECT_THAT(outcome.text, HasSubstr(text));
  EXPECT_EQ(call.executor, nullptr);
  EXPECT_EQ(call.workspace_size, 0u);
  EXPECT_EQ(call.grad_input_values, std::vector<float>(call.grad_input_values.size(), 77.0f));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const Rule kRules[] = {
    // (1), (2) types
    {"GradOutputType", [](GradCall& c) { c.grad_output.type = ACL_DOUBLE; }, {"gradOutput is DOUBLE (11)", "FLOAT or FLOAT16"}},
    {"GradInputType",
     [](GradCall& c) { c.grad_input.type = ACL_FLOAT16; },
     {"gradInputRef is FLOAT16 (1)", "type of gradOutput"}},
    {"RoisType", [](GradCall& c) { c.rois.type = ACL_INT32; }, {"rois is INT32 (3)", "FLOAT or FLOAT16"}},
    {"ArgmaxType",
     [](GradCall& c) { c.argmax.type = ACL_UINT8; },
     {"argmax is UINT8 (4)", "INT32, INT64 or the type of gradOutput"}},
    {"ArgmaxFloat16", [](GradCall& c) { c.argmax.type = ACL_FLOAT16; }, {"argmax is FLOAT16 (1)"}},
    {"TypeWithoutSize", [](GradCall& c) { c.rois.type = ACL_STRING; }, {"rois is another type (13)"}},
    // format
    {"Format", [](GradCall& c) { c.argmax.format = ACL_FORMAT_NHWC; }, {"argmax has the format 1", "ACL_FORMAT_ND (2)"}},
    // (3) dimensions
    {"GradOutputRank", [](GradCall& c) { c.grad_output.shape = {4, 3, 4}; }, {"gradOutput has 3 dimensions, must have 4"}},
    {"ArgmaxRank", [](GradCall& c) { c.argmax.shape = {4, 3, 2, 2, 1}; }, {"argmax has 5 dimensions, must have 4"}},
    {"GradInputRank", [](GradCall& c) { c.grad_input.shape = {2, 3, 15}; }, {"gradInputRef has 3 dimensions, must have 4"}},
    {"RoisRank", [](GradCall& c) { c.rois.shape = {20}; }, {"rois has 1 dimensions, must have 2"}},
    {"RoisColumns", [](GradCall& c) { c.rois.shape = {4, 4}; }, {"rois.shape[1] is 4, must be 5"}},
    // (4), (5)
    {"ArgmaxRois", [](GradCall& c) { c.argmax.shape[0] = 3; }, {"argmax.shape[0] is 3, must equal gradOutput.shape[0] (4)"}},
    {"RoisRois", [](GradCall& c) { c.rois.shape[0] = 3; }, {"rois.shape[0] is 3, must equal gradOutput.shape[0] (4)"}},
    {"ArgmaxChannels",
     [](GradCall& c) { c.argmax.shape[1] = 2; },
     {"argmax.shape[1] is 2, must equal gradOutput.shape[1] (3)"}},
    {"GradInputChannels",
     [](GradCall& c) { c.grad_input.shape[1] = 2; },
     {"gradInputRef.shape[1] is 2", "gradOutput.shape[1] (3)"}},
    // (6), each dimension alone
    {"GradOutputHeight", [](GradCall& c) { c.grad_output.shape[2] = 1; }, {"gradOutput.shape[2] is 1, must equal pooledH (2)"}},
    {"GradOutputWidth", [](GradCall& c) { c.grad_output.shape[3] = 1; }, {"gradOutput.shape[3] is 1, must equal pooledW (2)"}},
    {"ArgmaxHeight", [](GradCall& c) { c.argmax.shape[2] = 1; }, {"argmax.shape[2] is 1, must equal pooledH (2)"}},
    {"ArgmaxWidth", [](GradCall& c) { c.argmax.shape[3] = 1; }, {"argmax.shape[3] is 1, must equal pooledW (2)"}},
    // (7)
    {"NegativeCoordinate", [](GradCall& c) { c.rois_values[1] = -1; }, {"rois[0, 1] is -1, must be at least 0"}},
    {"NegativeImage", [](GradCall& c) { c.rois_values[5] = -1; }, {"rois[1, 0] is -1, must be at least 0"}},
    {"NanCoordinate", [](GradCall& c) { c.rois_values[19] = kNan; }, {"rois[3, 4] is nan, must be at least 0"}},
    // (8)
    {"PooledHeight", [](GradCall& c) { c.pooled_h = 0; }, {"pooledH is 0, must be above 0"}},
    {"PooledWidth", [](GradCall& c) { c.pooled_w = -2; }, {"pooledW is -2, must be above 0"}},
    // (9)
    {"XOrder", [](GradCall& c) { c.rois_values[7] = 0; }, {"rois[1, 1] is 0 and rois[1, 2] is 0, must be x1 < x2"}},
    {"YOrder", [](GradCall& c) { c.rois_values[14] = 0; }, {"rois[2, 3] is 1 and rois[2, 4] is 0, must be y1 < y2"}},
    // the image index
    {"ImageIndex", [](GradCall& c) { c.rois_values[10] = 2; }, {"rois[2, 0] is 2", "whole number in [0, 2)"}},
    {"FractionalImage", [](GradCall& c) { c.rois_values[10] = 0.5f; }, {"rois[2, 0] is 0.5", "whole number in [0, 2)"}},
    // spatialScale
    {"ScaleZero", [](GradCall& c) { c.spatial_scale = 0; }, {"spatialScale is 0, must be finite and above 0"}},
    {"ScaleNan", [](GradCall& c) { c.spatial_scale = std::nan(""); }, {"spatialScale is nan, must be finite and above 0"}},
    // storage
    {"Storage", [](GradCall& c) { c.argmax.offset = 1; }, {"argmax reaches beyond its storage of 48 elements"}},
    {"StridesBeyondStorage", [](GradCall& c) { c.rois.strides = {6, 1}; }, {"rois reaches beyond its storage of 20 elements"}},
    // what the native API checks, under the operator's names
    {"Overlap",
     [](GradCall& c) { c.grad_input.data = c.grad_output.data; },
     {"gradInputRef.data is", "overlaps gradOutput.data"}},
    {"SharedElements",
     [](GradCall& c) { c.grad_input.strides = {0, 15, 5, 1}; },
     {"gradInputRef.strides let elements share memory"}},
    {"NoPixels",
     [](GradCall& c) { c.grad_input.shape = {2, 3, 0, 5}; },
     {"gradInputRef.shape is (2, 3, 0, 5), must have pixels"}},
    {"SizeOverflow",
     [](GradCall& c) { c.grad_input = {{2, 3, 30000, 30000}}; },
     {"gradInputRef has 5400000000 elements, must be at most 2147483647"}},
    {"Misaligned",
     [](GradCall& c) { c.grad_output.data = static_cast<char*>(c.grad_output.data) + 1; },
     {"gradOutput.data is", "must be a multiple of its element's 4 bytes"}},
};

INSTANTIATE_TEST_SUITE_P(Aclnn, Rules, testing::ValuesIn(kRules),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST(Rules, AtMost1024Rois) {
  for (const int64_t count : {1024, 1025}) {
    GradCall call;
    call.grad_output = {{count, 3, 2, 2}};
    call.argmax = {{count, 3, 2, 2}, ACL_INT32};
    call.rois = {{count, 5}};
    const Outcome outcome = call.Plan();
    if (count == 1024) {
      EXPECT_EQ(outcome.code, ACLNN_SUCCESS) << outcome.text;
      EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
    } else {
      EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
      EXPECT_THAT(outcome.text, HasSubstr("rois.shape[0] is 1025, must be at most 1024"));
    }
  }
}

TEST(Rules, EveryPointerMayNotBeNull) {
  const GradCall call;
  const ScopedTensor grad_output(call.grad_output), grad_input(call.grad_input), rois(call.rois), argmax(call.argmax);
  const char* names[] = {"gradOutput", "gradInputRef", "rois", "argmax", "workspaceSize", "executor"};
  for (int missing = 0; missing < 6; ++missing) {
    uint64_t size = 99;
    auto* executor = reinterpret_cast<aclOpExecutor*>(99);
    const auto unless = [&](int index, const aclTensor* tensor) { return missing == index ? nullptr : tensor; };
    const Outcome outcome = Observe(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(
        unless(0, grad_output.get()), unless(1, grad_input.get()), unless(2, rois.get()), unless(3, argmax.get()), 2, 2, 1.0,
        missing == 4 ? nullptr : &size, missing == 5 ? nullptr : &executor));
    EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_THAT(outcome.text, HasSubstr(std::string(names[missing]) + " is null"));
    EXPECT_EQ(size, missing == 4 ? 99u : 0u);
    EXPECT_EQ(executor, missing == 5 ? reinterpret_cast<aclOpExecutor*>(99) : nullptr);
  }
}

TEST(Rules, AStaleTensorIsFoundOut) {
  const GradCall call;
  const ScopedTensor grad_output(call.grad_output), grad_input(call.grad_input), rois(call.rois);
  aclTensor* argmax = call.argmax.Create();
  ASSERT_EQ(aclDestroyTensor(argmax), ACLNN_SUCCESS);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const Outcome outcome = Observe(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(grad_output.get(), grad_input.get(), rois.get(),
                                                                                argmax, 2, 2, 1.0, &size, &executor));
  EXPECT_EQ(outcome.code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(outcome.text, HasSubstr("argmax is no live tensor"));
}

TEST(Rules, TheFunctionAndTheVariableChooseTheColumns) {
  GradCall call;
  call.rois_values = {0, 3, 0, 4, 1, 1, 1, 0, 2, 2, 0, 2, 1, 3, 2, 1, 4, 0, 5, 2};  // (image, x1, y1, x2, y2)
  EXPECT_THAT(call.Plan().text, AllOf(HasSubstr("rois[0, 1] is 3 and rois[0, 2] is 0"), HasSubstr("roipoolAclnnSetRoiLayout")));

  ASSERT_EQ(setenv("ROIPOOL_ACLNN_ROI_LAYOUT", "x1y1x2y2", 1), 0);
  EXPECT_EQ(call.Plan().code, ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
  ASSERT_EQ(setenv("ROIPOOL_ACLNN_ROI_LAYOUT", "xyxy", 1), 0);
  EXPECT_THAT(call.Plan().text, HasSubstr("ROIPOOL_ACLNN_ROI_LAYOUT is \"xyxy\", must be x1x2y1y2 or x1y1x2y2"));

  ASSERT_EQ(roipoolAclnnSetRoiLayout(ROIPOOL_ACLNN_X1Y1X2Y2), ACLNN_SUCCESS);
  EXPECT_EQ(call.Plan().code, ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
  ASSERT_EQ(roipoolAclnnSetRoiLayout(ROIPOOL_ACLNN_X1X2Y1Y2), ACLNN_SUCCESS);
  EXPECT_EQ(call.Plan().code, ACLNN_ERR_PARAM_INVALID);
  ASSERT_EQ(unsetenv("ROIPOOL_ACLNN_ROI_LAYOUT"), 0);
}

}  // namespace
}  // namespace roipool::test
