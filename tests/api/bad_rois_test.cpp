// S4: an image index or a box that breaks a rule, of every kind, in every float type.
#include <limits>

#include "element.h"
#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
constexpr DataType kFloatTypes[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64};

template <typename Op>
class BadRois : public testing::Test {
 protected:
  // Fails at element (row, column) of rois, touches no result and leaves every guard as it was.
  static void ExpectRefused(typename Op::Problem& problem, int64_t row, int64_t column, const std::string& rule) {
    const std::vector<std::byte> before = ResultBytes<Op>(problem);
    Call<Op> call(problem.args());
    EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, Op::kName,
                 "rois[" + std::to_string(row) + ", " + std::to_string(column) + "] is ", rule);
    EXPECT_EQ(ResultBytes<Op>(problem), before);
    for (const Tensor* tensor : Op::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
    EXPECT_EQ(call.workspace->FindDamage(), "");
  }
};
TYPED_TEST_SUITE(BadRois, Operators, OperatorNames);

TYPED_TEST(BadRois, ImageIndexMustBeAWholeNumberOfAnImage) {
  for (const DataType type : kFloatTypes) {
    for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
      for (const double bad : {2.0, 3.0, -1.0, 0.5, 1.5, -0.5, kNaN, kInfinity, -kInfinity, 1e4, SmallestOf(type),
                               LargestOf(type), -LargestOf(type)}) {
        for (const int64_t row : {0, 3, 5}) {
          SCOPED_TRACE(testing::Message() << bad << " in row " << row << " of type " << static_cast<int>(type));
          typename TypeParam::Problem problem(typename TypeParam::Case().RoisType(type).Images(2).Rois(6).Fenced(fence));
          problem.rois.SetNumber(row * 5, bad);
          this->ExpectRefused(problem, row, 0, "[0, 2)");
        }
      }
    }
  }
}

TYPED_TEST(BadRois, LargeFloat32IndicesDoNotWrap) {
  for (const double bad : {1e9, 2147483648.0, 4294967296.0, -4294967296.0, 1.8446744073709552e19}) {
    typename TypeParam::Problem problem{typename TypeParam::Case()};
    problem.rois.SetNumber(0, bad);
    this->ExpectRefused(problem, 0, 0, "[0, 2)");
  }
}

TYPED_TEST(BadRois, TheFirstOffenderIsNamed) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  problem.rois.SetNumber(2 * 5, -1);
  problem.rois.SetNumber(4 * 5, 7);
  this->ExpectRefused(problem, 2, 0, "[0, 2)");
}

TYPED_TEST(BadRois, AnyStridesAreReadRight) {
  for (const Strides strides : {Strides::kNegative, Strides::kInnermostApart, Strides::kChannelsLast}) {
    typename TypeParam::Problem problem(typename TypeParam::Case().RoisStrides(strides));
    problem.rois.SetNumber(3 * 5, 7);
    this->ExpectRefused(problem, 3, 0, "[0, 2)");
  }
}

TYPED_TEST(BadRois, ValuesWrittenAfterPhase1AreFound) {
  typename TypeParam::Problem problem{typename TypeParam::Case()};
  const std::vector<std::byte> before = ResultBytes<TypeParam>(problem);
  Call<TypeParam> call(problem.args());
  problem.rois.SetNumber(5, -1);
  EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, "rois[1, 0] is -1", "[0, 2)");
  EXPECT_EQ(ResultBytes<TypeParam>(problem), before);
}

TEST(BadBoxes, CoordinatesMustBeFinite) {
  for (const DataType type : kFloatTypes) {
    for (const double bad : {kNaN, kInfinity, -kInfinity}) {
      for (int64_t column = 1; column < 5; ++column) {
        PoolProblem problem(PoolCase().RoisType(type));
        problem.rois.SetNumber(3 * 5 + column, bad);
        const std::vector<std::byte> before = ResultBytes<PoolOperator>(problem);
        Call<PoolOperator> call(problem.args());
        EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, "RoiPool: rois[3, " + std::to_string(column) + "] is ", "finite");
        EXPECT_EQ(ResultBytes<PoolOperator>(problem), before);
      }
    }
  }
}

TEST(BadBoxes, TheGradientNeverReadsThem) {
  GradProblem problem{GradCase()};
  for (int64_t column = 1; column < 5; ++column) problem.rois.SetNumber(column, kNaN);
  EXPECT_OK(Call<GradOperator>(problem.args()).Run());
}

}  // namespace
}  // namespace roipool::test
