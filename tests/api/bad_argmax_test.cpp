// S4 and S6: an argmax entry outside [-1, H*W), at every place of a row, of every type, on every kernel.
#include <limits>

#include "element.h"
#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// Runs a problem whose argmax has its first bad entry at `position`.
void ExpectRefused(GradProblem& problem, int64_t position, const Options& options = {}) {
  std::string place = problem.argmax.CoordinatesOf(position);
  Call<GradOperator> call(problem.args(), options);
  EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, "RoiPoolGrad: argmax" + place + " is ",
               "must be -1 or a whole number in [0, 35)");
  for (const Tensor* tensor : GradOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
  EXPECT_EQ(call.workspace->FindDamage(), "");
}

class BadArgmax : public PerKernel {};

TEST_P(BadArgmax, AtEveryPlaceOfARow) {
  for (const auto& [pooled_h, pooled_w] :
       {std::pair{1, 1}, std::pair{3, 5}, std::pair{4, 4}, std::pair{1, 17}, std::pair{7, 7}}) {
    const GradCase c = GradCase().Type(GetParam().type).Rois(3).Channels(5).Pooled(pooled_h, pooled_w);
    SetCrashNote(c.Describe());
    const int64_t bins = c.pooled_h * c.pooled_w;
    for (const int64_t row : {int64_t{0}, int64_t{7}, c.rois * c.channels - 1}) {
      for (int64_t bin = 0; bin < bins; ++bin) {
        GradProblem problem(c);
        problem.argmax.SetNumber(row * bins + bin, 35);
        ExpectRefused(problem, row * bins + bin, OptionsFor(GetParam()));
      }
    }
  }
}

// Where all other entries are pixels, so that the rows take the fast loops up to there.
TEST_P(BadArgmax, AmongFullRows) {
  for (const auto& [pooled_h, pooled_w] : {std::pair{7, 7}, std::pair{14, 14}, std::pair{6, 6}, std::pair{1, 300}}) {
    for (const int64_t channels : {1, 2, 7, 8}) {
      const GradCase c = GradCase().Type(GetParam().type).Rois(3).Channels(channels).Pooled(pooled_h, pooled_w).EmptyShare(0);
      SetCrashNote(c.Describe());
      const int64_t last = c.rois * channels * pooled_h * pooled_w - 1;
      for (const int64_t position : {int64_t{0}, int64_t{15}, int64_t{35}, last / 2, last - 1, last}) {
        for (const int32_t bad : {35, -2, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
          GradProblem problem(c);
          problem.argmax.SetNumber(position, bad);
          ExpectRefused(problem, position, OptionsFor(GetParam()));
        }
      }
    }
  }
}

TEST_P(BadArgmax, OfEveryKind) {
  for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
    for (const int32_t bad : {35, 36, -2, -35, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::min() + 1,
                              std::numeric_limits<int32_t>::max(), 1 << 30, -(1 << 30)}) {
      GradProblem problem(GradCase().Type(GetParam().type).Fenced(fence));
      problem.argmax.SetNumber(50, bad);
      problem.argmax.SetNumber(51, 1000000);
      ExpectRefused(problem, 50, OptionsFor(GetParam()));
    }
  }
}

TEST_P(BadArgmax, EveryEntryIsBad) {
  GradProblem problem(GradCase().Type(GetParam().type).Rois(40).Channels(9));
  problem.argmax.SetAll(0x40000000);
  ExpectRefused(problem, 0, OptionsFor(GetParam()));
}

TEST_P(BadArgmax, WrittenAfterPhase1) {
  GradProblem problem(GradCase().Type(GetParam().type));
  Call<GradOperator> call(problem.args(), OptionsFor(GetParam()));
  problem.argmax.SetNumber(problem.argmax.count() - 1, -2);
  EXPECT_FAILS(call.Run(), StatusCode::kOutOfRange, "argmax[5, 4, 2, 2] is -2", "[0, 35)");
  EXPECT_EQ(problem.grad_input.FindDamage(), "");
}

INSTANTIATE_TEST_SUITE_P(All, BadArgmax, testing::ValuesIn(KernelRowsOf(Operator::kRoiPoolGrad)), RowName);

TEST(BadArgmaxTypes, Int64IsCheckedBeforeItIsNarrowed) {
  for (const int64_t bad : {INT64_C(35), INT64_C(-2), INT64_C(1) << 32, (INT64_C(1) << 32) + 5, -(INT64_C(1) << 32),
                            std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), (INT64_C(1) << 53) + 1}) {
    for (const int64_t position : {0, 100, 269}) {
      GradProblem problem(GradCase().ArgmaxType(DataType::kInt64));
      const std::vector<std::byte> before = problem.grad_input.Bytes();
      problem.argmax.SetBits(position, static_cast<uint64_t>(bad));
      ExpectRefused(problem, position);
      EXPECT_EQ(problem.grad_input.Bytes(), before) << "checked before anything is written";
    }
  }
}

TEST(BadArgmaxTypes, FloatsMustBeWholeNumbersInRange) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    for (const double bad : {35.0, -2.0, 0.5, -0.5, 33.5, -1.5, kNaN, kInfinity, -kInfinity, LargestOf(type), SmallestOf(type),
                             -SmallestOf(type)}) {
      for (const int64_t position : {0, 100, 269}) {
        GradProblem problem(GradCase().Type(type).ArgmaxType(type));
        problem.argmax.SetNumber(position, bad);
        ExpectRefused(problem, position);
      }
    }
    GradProblem problem(GradCase().Type(type).ArgmaxType(type));
    problem.argmax.SetNumber(3, -0.0);
    EXPECT_OK(Call<GradOperator>(problem.args()).Run()) << "-0 is pixel 0";
  }
}

TEST(BadArgmaxTypes, AnyStridesAreCheckedAndNamedRight) {
  for (const Strides strides :
       {Strides::kChannelsLast, Strides::kPadded, Strides::kPaddedRows, Strides::kNegative, Strides::kInnermostApart}) {
    for (const DataType type : {DataType::kInt32, DataType::kInt64, DataType::kFloat32}) {
      GradProblem problem(GradCase().ArgmaxType(type).ArgmaxStrides(strides));
      problem.argmax.SetNumber(100, 35);
      problem.argmax.SetNumber(200, -7);
      ExpectRefused(problem, 100);
    }
  }
}

}  // namespace
}  // namespace roipool::test
