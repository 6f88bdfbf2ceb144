// One test for each decision about what the operator is, by its number; see tests/README.md for where each is tested in full.
#include <limits>

#include "compare.h"
#include "operators.h"
#include "reference.h"

namespace roipool::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The sum of gradients of one pixel, one roi each.
double SumOf(DataType type, const std::vector<double>& addends) {
  GradProblem problem(GradCase()
                          .Type(type)
                          .Rois(static_cast<int64_t>(addends.size()))
                          .Channels(1)
                          .Pooled(1, 1)
                          .Images(1)
                          .Map(1, 1)
                          .EmptyShare(0));
  for (size_t r = 0; r < addends.size(); ++r) problem.grad_output.SetNumber(static_cast<int64_t>(r), addends[r]);
  EXPECT_OK(Call<GradOperator>(problem.args()).Run());
  return problem.grad_input.Number(0);
}

TEST(Decisions, S1_SmallFloatsAreSummedInFloat32AndRoundedOnce) {
  EXPECT_EQ(SumOf(DataType::kFloat16, {2048, 1, 1}), 2050);
  EXPECT_EQ(SumOf(DataType::kBFloat16, {256, 1, 1}), 258);
  EXPECT_EQ(SumOf(DataType::kFloat32, {16777216, 1, 1}), 16777216);
  EXPECT_EQ(SumOf(DataType::kFloat64, {16777216, 1, 1}), 16777218);
}

TEST(Decisions, S2_PlanesAreSummedInAscendingRoiThenBinOrder) {
  EXPECT_EQ(SumOf(DataType::kFloat32, {1e8, 1, -1e8}), 0);
  EXPECT_EQ(SumOf(DataType::kFloat32, {1e8, -1e8, 1}), 1);
  EXPECT_EQ(SumOf(DataType::kFloat32, {1, 1e8, -1e8}), 0);
}

TEST(Decisions, S3_EmptyBinsAreSkippedAndOtherNaNPropagate) {
  GradProblem problem(GradCase().Rois(2).Channels(1).Pooled(1, 1).Images(1).Map(1, 2));
  problem.grad_output.SetAll(kNaN);
  problem.argmax.SetNumber(0, -1);
  problem.argmax.SetNumber(1, 1);
  ASSERT_OK(Call<GradOperator>(problem.args()).Run());
  EXPECT_EQ(problem.grad_input.Bits(0), 0u);
  EXPECT_EQ(problem.grad_input.Bits(1), 0x7fc00000u);
}

TEST(Decisions, S4_BadContentsAreAnErrorThatNamesTheOffender) {
  GradProblem problem{GradCase()};
  problem.argmax.SetNumber(100, -2);
  EXPECT_FAILS(Call<GradOperator>(problem.args()).Run(), StatusCode::kOutOfRange, "argmax[2, 1, 0, 1] is -2", "[0, 35)");
  problem.rois.SetNumber(10, 0.5);
  EXPECT_FAILS(Call<GradOperator>(problem.args()).Run(), StatusCode::kOutOfRange, "rois[2, 0] is 0.5", "[0, 2)");
}

TEST(Decisions, S5_EmptyProblemsSucceed) {
  GradProblem no_rois(GradCase().Rois(0));
  EXPECT_OK(Call<GradOperator>(no_rois.args()).Run());
  EXPECT_EQ(no_rois.grad_input.Numbers(), std::vector<double>(static_cast<size_t>(no_rois.grad_input.count()), 0));
  for (const Strides strides : {Strides::kChannelsLast, Strides::kPaddedRows, Strides::kNegative}) {
    GradProblem strided(GradCase().Rois(0).GradInputStrides(strides));
    EXPECT_OK(Call<GradOperator>(strided.args()).Run());
    EXPECT_EQ(strided.grad_input.Numbers(), std::vector<double>(static_cast<size_t>(strided.grad_input.count()), 0));
    EXPECT_EQ(strided.grad_input.FindDamage(), "");
  }
  GradProblem no_channels(GradCase().Channels(0));
  EXPECT_OK(Call<GradOperator>(no_channels.args()).Run());
  GradProblem rois_for_no_images{GradCase()};
  Tensor no_images(DataType::kFloat32, {0, 5, 5, 7});
  RoiPoolGradArgs args = rois_for_no_images.args();
  args.grad_input = no_images.mutable_view();
  EXPECT_OK(Call<GradOperator>(args).Run());
}

TEST(Decisions, S5_NoRoisAndNoPixelsNeedNoMemory) {
  RoiPoolGradArgs args;
  args.grad_output = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kFloat32, {0, 5, 3, 3});
  args.argmax = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kInt32, {0, 5, 3, 3});
  args.rois = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kFloat32, {0, 5});
  args.grad_input = ContiguousTensor(static_cast<void*>(nullptr), DataType::kFloat32, {2, 5, 4, 0});
  EXPECT_OK(Call<GradOperator>(args).Run());
}

TEST(Decisions, S5_NoPixelsForAnArgmaxIsAnError) {
  GradProblem problem{GradCase()};
  RoiPoolGradArgs args = problem.args();
  args.grad_input = ContiguousTensor(static_cast<void*>(nullptr), DataType::kFloat32, {2, 5, 0, 7});
  uint64_t size = 0;
  ExecutorPtr executor;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, {}, &size, &executor), StatusCode::kInvalidArgument,
               "grad_input.shape is (2, 5, 0, 7)");
}

TEST(Decisions, S6_Int64ArgmaxIsCheckedBeforeItIsNarrowedAndFloatsMustBeWhole) {
  GradProblem wide(GradCase().ArgmaxType(DataType::kInt64));
  wide.argmax.SetNumber(4, 4294967296.0);
  EXPECT_FAILS(Call<GradOperator>(wide.args()).Run(), StatusCode::kOutOfRange, "argmax[0, 0, 1, 1] is 4294967296,");
  GradProblem fraction(GradCase().ArgmaxType(DataType::kFloat32));
  fraction.argmax.SetNumber(4, 2.5);
  EXPECT_FAILS(Call<GradOperator>(fraction.args()).Run(), StatusCode::kOutOfRange, "argmax[0, 0, 1, 1] is 2.5,");
  GradProblem many_pixels(GradCase().Type(DataType::kFloat16).ArgmaxType(DataType::kFloat16).Map(1, 2049));
  uint64_t size = 0;
  ExecutorPtr executor;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(many_pixels.args(), {}, &size, &executor), StatusCode::kInvalidArgument,
               "argmax.type is f16", "2048", "2049");
}

TEST(Decisions, S7_TooManyElementsAreAnErrorOfPhase1) {
  RoiPoolGradArgs args;
  args.grad_output = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kFloat32, {1 << 20, 64, 7, 7});
  args.argmax = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kInt32, {1 << 20, 64, 7, 7});
  args.rois = ContiguousTensor(static_cast<const void*>(nullptr), DataType::kFloat32, {1 << 20, 5});
  args.grad_input = ContiguousTensor(static_cast<void*>(nullptr), DataType::kFloat32, {1, 64, 8, 8});
  uint64_t size = 0;
  ExecutorPtr executor;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, {}, &size, &executor), StatusCode::kSizeOverflow,
               "grad_output has 3288334336 elements", "2147483647");
}

TEST(Decisions, S8_InputsMayOverlapAndGradInputMayNot) {
  // One buffer of zeros is gradients, indices and images at once.
  GradProblem problem{GradCase()};
  problem.grad_output.SetAll(0);
  RoiPoolGradArgs args = problem.args();
  args.argmax.data = args.rois.data = args.grad_output.data;
  EXPECT_OK(Call<GradOperator>(args).Run());
  args.grad_input.data = const_cast<void*>(args.grad_output.data);
  uint64_t size = 0;
  ExecutorPtr executor;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, {}, &size, &executor), StatusCode::kOverlap, "grad_input.data is",
               "overlaps grad_output.data");
}

}  // namespace
}  // namespace roipool::test
