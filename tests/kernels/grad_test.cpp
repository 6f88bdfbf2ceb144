// Every gradient kernel against the reference: shapes around the vector width, strides, types and orders of rois.
#include <fstream>

#include "compare.h"
#include "every_case.h"
#include "grad_case.h"
#include "kernel_rows.h"
#include "reference.h"
#include "roipool/tuning.h"
#include "run.h"
#include "status_matchers.h"
#include "temporary_folder.h"

namespace roipool::test {
namespace {

class GradKernel : public PerKernel {
 protected:
  // Whole numbers and real ones, memory ending and beginning at a page without access.
  static void Expect(GradCase c) {
    c.Type(GetParam().type);
    if (!IsIndexType(c.argmax_type)) c.ArgmaxType(c.type);
    if (c.height * c.width > GetParam().max_pixels) return;
    const bool runs_all = std::getenv("ROIPOOL_TEST_EVERY_CASE") != nullptr ||
                          (GetParam().device == Device::kCpu && GetParam().accumulation == Accumulation::kFloat);
    for (const Values values : {Values::kInteger, Values::kReal}) {
      for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
        // One of them in turn where each call costs milliseconds, and in fixed point, whose schedule is that of floats.
        static int turn = 0;
        if (!runs_all && turn++ % 5 != 0) continue;
        ExpectGradOfCase(c.Data(values).Fenced(fence).Seed(c.seed + 1), OptionsFor(GetParam()), GetParam().name);
      }
    }
  }

 private:
  static bool IsIndexType(DataType type) { return type == DataType::kInt32 || type == DataType::kInt64; }
};

// GPUs' kernels have one loop for any number.
std::vector<int64_t> ChannelCounts(const KernelRow& row) {
  if (RunsEveryCase(row)) return {1, 3, 4, 5, 8, 9};
  return {1, 5};
}

TEST_P(GradKernel, BinsAroundVectorWidth) {
  constexpr int64_t kPooled[][2] = {{1, 1}, {3, 5}, {4, 4}, {1, 17}, {7, 7}, {14, 14}, {1, 255}, {16, 16}, {1, 257}, {20, 27}};
  for (const auto& pooled : kPooled) {
    for (const int64_t channels : ChannelCounts(GetParam())) {
      for (const int64_t rois : {0, 1, 33}) Expect(GradCase().Pooled(pooled[0], pooled[1]).Channels(channels).Rois(rois));
    }
  }
}

TEST_P(GradKernel, PixelsAroundVectorWidth) {
  constexpr int64_t kPixels[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  14, 15,
                                 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 255, 256, 257};
  for (const int64_t pixels : kPixels) {
    for (const int64_t channels : ChannelCounts(GetParam())) Expect(GradCase().Map(1, pixels).Channels(channels).Pooled(7, 7));
  }
}

TEST_P(GradKernel, ImagesInAnyOrderAndEmptyOnes) {
  constexpr ImageOrder kOrders[] = {ImageOrder::kRandom, ImageOrder::kSorted, ImageOrder::kDescending, ImageOrder::kLastOnly,
                                    ImageOrder::kGaps};
  for (const int64_t images : {1, 2, 3}) {
    for (const int64_t rois : {1, 2, 40}) {
      for (const ImageOrder order : kOrders) Expect(GradCase().Images(images).Rois(rois).Order(order));
    }
  }
}

TEST_P(GradKernel, AnyStrides) {
  constexpr Strides kInputStrides[] = {Strides::kContiguous, Strides::kChannelsLast,  Strides::kPadded,
                                       Strides::kPaddedRows, Strides::kExpanded,      Strides::kExpandedRois,
                                       Strides::kNegative,   Strides::kInnermostApart};
  constexpr Strides kOutputStrides[] = {Strides::kContiguous, Strides::kChannelsLast, Strides::kPadded,
                                        Strides::kPaddedRows, Strides::kNegative,     Strides::kInnermostApart};
  for (const Strides strides : kInputStrides) {
    Expect(GradCase().GradOutputStrides(strides));
    Expect(GradCase().ArgmaxStrides(strides));
    Expect(GradCase().RoisStrides(strides));
    for (const Strides output_strides : kOutputStrides) {
      Expect(GradCase().GradOutputStrides(strides).ArgmaxStrides(strides).GradInputStrides(output_strides));
    }
  }
}

// A stride over one element steps nowhere, so it may be anything.
TEST_P(GradKernel, StridesOfSingleElementsMeanNothing) {
  const GradCase c = GradCase().Type(GetParam().type).Rois(1).Channels(1).Images(1).Pooled(1, 1).EmptyShare(0);
  GradProblem problem(c);
  for (const int64_t stride : {INT64_C(0), INT64_C(-7), INT64_C(1) << 31, INT64_C(1) << 40, -(INT64_C(1) << 62), INT64_C(1)}) {
    RoiPoolGradArgs args = problem.args();
    for (int d = 0; d < 4; ++d) args.grad_output.strides[d] = args.argmax.strides[d] = stride;
    args.rois.strides[0] = args.grad_input.strides[0] = args.grad_input.strides[1] = stride;
    EXPECT_OK(RunGrad(args, OptionsFor(GetParam())).status) << stride;
    EXPECT_TRUE(SameGradient(problem, OptionsFor(GetParam()))) << stride;
  }
}

TEST_P(GradKernel, AnyTypeOfArgmaxAndRois) {
  const DataType own_type = GetParam().type;
  for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64, own_type}) {
    for (const DataType rois_type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      Expect(GradCase().ArgmaxType(argmax_type).RoisType(rois_type).Images(3).Rois(20));
      Expect(GradCase().ArgmaxType(argmax_type).RoisType(rois_type).ArgmaxStrides(Strides::kChannelsLast));
    }
  }
}

TEST_P(GradKernel, ManyRoisOnOnePixelAddInOrder) { Expect(GradCase().Rois(300).Map(1, 1).Images(1).Channels(3)); }

// Rows without an empty bin, and rows of which a few have one, have loops of their own, as do the usual sizes of a row.
TEST_P(GradKernel, FullRows) {
  if (!RunsEveryCase(GetParam())) return Expect(GradCase().Pooled(14, 14).Channels(3).Rois(9).EmptyShare(0));
  constexpr int64_t kPooled[][2] = {{1, 1}, {3, 3}, {6, 6}, {7, 7}, {14, 14}, {16, 16}, {17, 16}};
  int turn = 0;  // Of the strides: each kind meets each share, channel count and pooled size.
  for (const auto& pooled : kPooled) {
    for (const int64_t channels : {1, 2, 3, 4, 6, 8, 11}) {
      for (const double share : {0.0, 0.001, 0.02}) {
        GradCase c = GradCase().Pooled(pooled[0], pooled[1]).Channels(channels).Rois(25).EmptyShare(share);
        if (turn % 3 == 1) c.GradOutputStrides(Strides::kPadded);
        if (turn % 3 == 2) c.ArgmaxStrides(Strides::kPadded).GradInputStrides(Strides::kPadded);
        Expect(c);
        ++turn;
      }
      ++turn;
    }
  }
}

// Enough work for several tasks, also with fewer channels than a task would like.
TEST_P(GradKernel, SeveralTasks) {
  const bool runs_all = RunsEveryCase(GetParam());
  constexpr int64_t kChannelsAndImages[][2] = {{1, 3}, {1, 1}, {2, 3}, {3, 1}, {5, 3}, {16, 1}, {27, 3}};
  for (const auto& [channels, images] : kChannelsAndImages) {
    if (!runs_all && (channels != 1 || images != 3)) continue;
    for (const int32_t threads : {1, 2, 3, 5}) {
      const GradCase c = GradCase().Pooled(7, 7).Channels(channels).Images(images).Rois(600).EmptyShare(0.0005);
      ExpectGradOfCase(GradCase(c).Type(GetParam().type), OptionsFor(GetParam(), threads), GetParam().name);
    }
  }
}

// A tuned row changes how a call is cut, never its bits.
TEST_P(GradKernel, KnobsOfACallDoNotChangeTheBits) {
  if (GetParam().device != Device::kCpu) GTEST_SKIP() << "these knobs are a CPU's";
  const TemporaryFolder folder;
  const std::string path = folder.File("my.rows");
  constexpr int kKnobs[][3] = {{1, 1, 0}, {3, 3, 1}, {6, 2, 64}, {4096, 4, 64}, {7, 1, 2}, {0, 3, 5}};
  for (const auto& [channel_block, group_channels, prefetch_distance] : kKnobs) {
    std::ofstream(path) << "x86-64-" << IsaName(GetParam().isa) << " roi_pool_grad any any " << GetParam().schedule
                        << " channel_block=" << channel_block << " group_channels=" << group_channels
                        << " prefetch_distance=" << prefetch_distance << "\n";
    TuningPtr tuning;
    if (const Status status = LoadTuning(path.c_str(), &tuning); !status.ok()) {
      GTEST_SKIP() << "not every type has this schedule: " << status.message();
    }
    for (const int64_t rois : {3, 600}) {
      const GradCase c = GradCase().Type(GetParam().type).Pooled(7, 7).Channels(11).Images(2).Rois(rois).EmptyShare(0.001);
      Options options = OptionsFor(GetParam(), 3);
      options.tuning = tuning.get();
      ExpectGradOfCase(c, options, GetParam().name);
    }
  }
}

TEST_P(GradKernel, OnlyEmptyBinsGiveZeros) { Expect(GradCase().EmptyShare(1)); }

TEST_P(GradKernel, MoreThreadsThanPlanes) {
  GradCase c = GradCase().Type(GetParam().type).Channels(1).Images(1);
  ExpectGradOfCase(c, OptionsFor(GetParam(), 64), GetParam().name);
  ExpectGradOfCase(c.Channels(9).Images(3).Rois(30), OptionsFor(GetParam(), kMaxThreads), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(All, GradKernel, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
