// How much workspace a call books, and when it copies a tensor.
#include "plan.h"

#include <gtest/gtest.h>

#include "element.h"
#include "grad_case.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "status_matchers.h"

namespace roipool::internal {
namespace {

using test::GradCase;
using test::PoolCase;
using test::Strides;

constexpr auto kStep = static_cast<int64_t>(kWorkspaceAlignment);

int64_t Padded(int64_t bytes) { return (bytes + kStep - 1) / kStep * kStep; }

RoiPoolGradPlan PlanOf(const GradCase& c, const Options& options = {}) {
  test::GradProblem problem(c);
  RoiPoolGradPlan plan;
  Dims dims;
  EXPECT_OK(ValidateRoiPoolGrad("F", problem.args(), options, &dims));
  EXPECT_OK(PlanRoiPoolGrad("F", problem.args(), options, dims, &plan));
  return plan;
}

RoiPoolPlan PlanOf(const PoolCase& c, const Options& options = {}) {
  test::PoolProblem problem(c);
  RoiPoolPlan plan;
  Dims dims;
  EXPECT_OK(ValidateRoiPool("F", problem.args(), options, &dims));
  EXPECT_OK(PlanRoiPool("F", problem.args(), options, dims, &plan));
  return plan;
}

// What any gradient needs, beside copies.
int64_t SortedRoisBytes(const GradCase& c) { return 2 * Padded(4 * c.rois) + Padded(4 * (c.images + 1)); }

TEST(Plan, GradientOfDenseTensorsBooksAFewBytesPerRoi) {
  const GradCase c = GradCase().Rois(1000).Channels(64).Images(3);
  for (const DataType type : {DataType::kFloat32, DataType::kFloat64}) {
    EXPECT_EQ(PlanOf(GradCase(c).Type(type)).workspace.size(), static_cast<uint64_t>(SortedRoisBytes(c)));
  }
}

TEST(Plan, SixteenBitGradientsAreSummedInABlockPerThread) {
  const GradCase c = GradCase().Rois(1000).Channels(64).Images(3);
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    for (const int32_t threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const RoiPoolGradPlan plan = PlanOf(GradCase(c).Type(type), options);
      EXPECT_EQ(
          plan.workspace.size(),
          static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * threads * plan.tasks.channel_block * c.height * c.width)));
    }
  }
  // No more blocks than there are tasks.
  Options options;
  options.threads = 100;
  EXPECT_EQ(PlanOf(GradCase().Rois(1).Channels(2).Pooled(1, 1).Type(DataType::kFloat16), options).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(GradCase().Rois(1)) +
                                  Padded(4 * 2 * GradCase().images * GradCase().height * GradCase().width)));
}

TEST(Plan, GradientWalksStridesThatNeedNoCopy) {
  for (const Strides strides : {Strides::kContiguous, Strides::kExpandedRois}) {
    const RoiPoolGradPlan plan = PlanOf(GradCase().GradOutputStrides(strides).ArgmaxStrides(strides));
    EXPECT_FALSE(plan.workspace.IsBooked(Piece::kGradOutput)) << test::NameOf(strides);
    EXPECT_FALSE(plan.workspace.IsBooked(Piece::kArgmax)) << test::NameOf(strides);
  }
  // kPadded has gaps behind planes only along dimension 1; with one row a plane it is dense.
  EXPECT_FALSE(PlanOf(GradCase().Pooled(1, 9).GradOutputStrides(Strides::kPadded)).workspace.IsBooked(Piece::kGradOutput));
  EXPECT_FALSE(PlanOf(GradCase().Map(1, 9).GradInputStrides(Strides::kPadded)).workspace.IsBooked(Piece::kGradInput));
}

TEST(Plan, GradientCopiesOnlyTheTensorThatNeedsIt) {
  const GradCase c;
  const int64_t entries = c.rois * c.channels * c.pooled_h * c.pooled_w;
  const int64_t outputs = c.images * c.channels * c.height * c.width;
  const Strides apart = Strides::kChannelsLast;
  EXPECT_EQ(PlanOf(GradCase().GradOutputStrides(apart)).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * entries)));
  EXPECT_EQ(PlanOf(GradCase().ArgmaxStrides(apart)).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * entries)));
  EXPECT_EQ(PlanOf(GradCase().ArgmaxType(DataType::kInt64)).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * entries)));
  EXPECT_EQ(PlanOf(GradCase().ArgmaxType(DataType::kFloat32)).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * entries)));
  EXPECT_EQ(PlanOf(GradCase().GradInputStrides(apart)).workspace.size(),
            static_cast<uint64_t>(SortedRoisBytes(c) + Padded(4 * outputs)));
  EXPECT_EQ(PlanOf(GradCase().RoisStrides(Strides::kNegative)).workspace.size(), static_cast<uint64_t>(SortedRoisBytes(c)));
}

TEST(Plan, GradientWithNothingToComputeBooksNothing) {
  for (const GradCase& c : {GradCase().Rois(0), GradCase().Channels(0)}) {
    const RoiPoolGradPlan plan = PlanOf(c);
    EXPECT_EQ(plan.kernel, nullptr);
    EXPECT_EQ(plan.workspace.size(), 0u);
  }
}

// The sizes of what is not computed do not matter to a schedule that has limits.
TEST(Plan, NothingToComputeFitsEverySchedule) {
  const std::string best = test::SchedulesOf(Operator::kRoiPoolGrad).front();
  Options options;
  options.schedule = best.c_str();
  EXPECT_EQ(PlanOf(GradCase().Rois(0).Pooled(32, 32), options).kernel, nullptr);
  EXPECT_EQ(PlanOf(GradCase().Channels(0).Pooled(32, 32), options).kernel, nullptr);
}

// Images, order, boxes and edges of the rois.
uint64_t BytesOfRois(const PoolCase& c) {
  return static_cast<uint64_t>(2 * Padded(4 * c.rois) + Padded(4 * (c.images + 1)) + Padded(16 * c.rois) +
                               Padded(8 * c.rois * c.pooled_w) + Padded(8 * c.rois * c.pooled_h));
}

// A tile for each 16 pixels of an image, and 64 channels of one for each thread.
TEST(Plan, ForwardBooksABlockOfChannelsForEachThread) {
  const PoolCase c = PoolCase().Rois(1000).Channels(80).Images(3);
  Options options;
  for (const int32_t threads : {1, 2}) {
    options.threads = threads;
    const auto tiles = static_cast<uint64_t>(Padded(4 * 3 * 7) + Padded(4 * 4));
    const auto block = static_cast<uint64_t>(Padded(4 * threads * 64 * 99));
    EXPECT_EQ(PlanOf(c, options).workspace.size(), BytesOfRois(c) + tiles + block) << threads;
  }
}

TEST(Plan, ForwardCopiesNoMoreThanTheMap) {
  for (const int64_t channels : {1, 16, 80}) {
    const PoolCase c = PoolCase().Rois(3000).Channels(channels).Images(3).Map(9, 18);
    const int64_t padded = (channels + 15) / 16 * 16;
    for (const int32_t threads : {1, 2, 16, 256}) {
      Options options;
      options.threads = threads;
      const auto tiles = static_cast<uint64_t>(Padded(4 * 3 * 11) + Padded(4 * 4));
      EXPECT_LE(PlanOf(c, options).workspace.size(),
                BytesOfRois(c) + tiles + static_cast<uint64_t>(Padded(4 * 3 * padded * 9 * 18)))
          << channels << " channels, " << threads << " threads";
    }
  }
}

TEST(Plan, ForwardReadsChannelsWhereTheyLieSideBySide) {
  const PoolCase c = PoolCase().Rois(1000).XStrides(Strides::kChannelsLast);
  EXPECT_EQ(PlanOf(PoolCase(c).Channels(64)).workspace.size(), BytesOfRois(c));
  // What fills no vector is copied.
  EXPECT_TRUE(PlanOf(PoolCase(c).Channels(65)).workspace.IsBooked(Piece::kVectors));
}

TEST(Plan, ForwardCopiesOutputsWhosePlanesAreNotDense) {
  const auto is_booked = [](const PoolCase& c, Piece piece) { return PlanOf(c).workspace.IsBooked(piece); };
  EXPECT_FALSE(is_booked(PoolCase().YStrides(Strides::kPadded).ArgmaxStrides(Strides::kPadded), Piece::kY));
  for (const Strides strides : {Strides::kChannelsLast, Strides::kPaddedRows, Strides::kInnermostApart}) {
    EXPECT_TRUE(is_booked(PoolCase().YStrides(strides), Piece::kY)) << test::NameOf(strides);
    EXPECT_TRUE(is_booked(PoolCase().ArgmaxStrides(strides), Piece::kArgmax)) << test::NameOf(strides);
    EXPECT_FALSE(is_booked(PoolCase().XStrides(strides), Piece::kX)) << test::NameOf(strides);
  }
}

TEST(Plan, ForwardCopiesNegativeStrides) {
  EXPECT_TRUE(PlanOf(PoolCase().XStrides(Strides::kNegative)).workspace.IsBooked(Piece::kX));
  EXPECT_TRUE(PlanOf(PoolCase().YStrides(Strides::kNegative)).workspace.IsBooked(Piece::kY));
  EXPECT_TRUE(PlanOf(PoolCase().ArgmaxStrides(Strides::kNegative)).workspace.IsBooked(Piece::kArgmax));
}

TEST(Plan, ThreadsAreThoseAskedForOrOnePerCpu) {
  Options options;
  options.threads = 7;
  EXPECT_EQ(PlanOf(GradCase(), options).threads, 7);
  options.threads = kMaxThreads;
  EXPECT_EQ(PlanOf(PoolCase(), options).threads, kMaxThreads);
  options.threads = 0;
  EXPECT_GE(PlanOf(GradCase(), options).threads, 1);
}

}  // namespace
}  // namespace roipool::internal
