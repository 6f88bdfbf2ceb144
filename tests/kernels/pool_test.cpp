// Every forward kernel against the reference: value and argmax exactly, both geometries, shapes, strides and types.
#include "compare.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

class PoolKernel : public PerKernel {
 protected:
  static void Expect(PoolCase c) {
    c.Type(GetParam().type);
    for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
      for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
        ExpectPoolOfCase(c.Shape(geometry).Fenced(fence).Seed(c.seed + 1), OptionsFor(GetParam()), GetParam().name);
      }
    }
  }
};

TEST_P(PoolKernel, Shapes) {
  constexpr int64_t kPooled[][2] = {{1, 1}, {3, 5}, {1, 17}, {7, 7}, {14, 14}};
  constexpr int64_t kMaps[][2] = {{1, 1}, {1, 17}, {33, 1}, {15, 16}, {32, 31}};
  for (const auto& pooled : kPooled) {
    for (const auto& map : kMaps) {
      for (const int64_t channels : {1, 3, 33}) {
        Expect(PoolCase().Pooled(pooled[0], pooled[1]).Map(map[0], map[1]).Channels(channels).Rois(7));
      }
    }
  }
  Expect(PoolCase().Rois(0));
  Expect(PoolCase().Channels(0));
  Expect(PoolCase().Rois(1).Images(1));
  Expect(PoolCase().Rois(300).Channels(1).Images(3));
}

TEST_P(PoolKernel, RoisOfAnyKind) {
  for (const RoiLayout layout : {RoiLayout::kX1Y1X2Y2, RoiLayout::kX1X2Y1Y2}) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      for (const Boxes boxes : {Boxes::kInside, Boxes::kAnywhere}) {
        Expect(PoolCase().Layout(layout).RoisType(type).BoxKind(boxes).Rois(60));
        Expect(PoolCase().Layout(layout).RoisType(type).BoxKind(boxes).RoisStrides(Strides::kNegative));
      }
    }
  }
}

TEST_P(PoolKernel, AnyScale) {
  constexpr float kScales[] = {0.0625f, 0.1f, 0.3333333f, 1.0f, 2.5f};
  for (const float scale_h : kScales) {
    for (const float scale_w : kScales)
      Expect(PoolCase().Scale(scale_h, scale_w).Rois(60).Map(13, 21).Pooled(5, 4).Channels(1));
  }
}

TEST_P(PoolKernel, AnyStrides) {
  constexpr Strides kInputStrides[] = {Strides::kContiguous, Strides::kChannelsLast,  Strides::kPadded,
                                       Strides::kPaddedRows, Strides::kExpanded,      Strides::kExpandedRois,
                                       Strides::kNegative,   Strides::kInnermostApart};
  constexpr Strides kOutputStrides[] = {Strides::kContiguous, Strides::kChannelsLast, Strides::kPadded,
                                        Strides::kPaddedRows, Strides::kNegative,     Strides::kInnermostApart};
  for (const Strides strides : kInputStrides) {
    Expect(PoolCase().XStrides(strides));
    // Expanded in both dimensions, a box would be its own image index.
    if (strides != Strides::kExpanded) Expect(PoolCase().RoisStrides(strides));
  }
  for (const Strides y_strides : kOutputStrides) {
    for (const Strides argmax_strides : kOutputStrides) Expect(PoolCase().YStrides(y_strides).ArgmaxStrides(argmax_strides));
  }
}

// A stride over one element steps nowhere, so it may be anything.
TEST_P(PoolKernel, StridesOfSingleElementsMeanNothing) {
  PoolProblem problem(PoolCase().Type(GetParam().type).Rois(1).Channels(1).Images(1).Pooled(1, 1).BoxKind(Boxes::kInside));
  const PoolResult expected = ReferencePool(problem.x, problem.rois, 1, 1, 1, 1, Geometry::kTorchvision, RoiLayout::kX1Y1X2Y2);
  for (const int64_t stride : {INT64_C(0), INT64_C(-7), INT64_C(1) << 31, INT64_C(1) << 40, -(INT64_C(1) << 62), INT64_C(1)}) {
    RoiPoolArgs args = problem.args();
    for (int d = 0; d < 4; ++d) args.y.strides[d] = args.argmax.strides[d] = stride;
    args.x.strides[0] = args.x.strides[1] = args.rois.strides[0] = stride;
    EXPECT_OK(RunPool(args, OptionsFor(GetParam())).status) << stride;
    EXPECT_TRUE(SameBits(expected.y, problem.y)) << stride;
    EXPECT_TRUE(SameBits(expected.argmax, problem.argmax)) << stride;
  }
}

TEST_P(PoolKernel, ValuesOfAnyKind) {
  for (const Values values : {Values::kInteger, Values::kReal, Values::kTiny, Values::kHuge, Values::kSpecial}) {
    for (uint64_t seed = 1; seed <= 40; seed += 10) Expect(PoolCase().Data(values).Rois(40).Pooled(4, 5).Seed(seed));
  }
}

// Full vectors, a part of one, and blocks of several; where they lie, and copied.
TEST_P(PoolKernel, ChannelsByVectors) {
  for (const int64_t channels : {15, 16, 17, 32, 40, 64, 80, 129}) {
    for (const Strides strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kPaddedRows}) {
      Expect(PoolCase().Channels(channels).XStrides(strides).Map(9, 18));
    }
  }
}

// Copies that the parts of an image's rois share.
TEST_P(PoolKernel, PartsOfAnImage) {
  for (const Strides strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kPaddedRows}) {
    const PoolCase c = PoolCase().Type(GetParam().type).Rois(900).Channels(20).Images(1).Map(9, 18).XStrides(strides);
    ExpectPoolOfCase(PoolCase(c).Pooled(5, 5).BoxKind(Boxes::kInside), OptionsFor(GetParam(), 64), GetParam().name);
  }
}

// Enough work for several threads: blocks of channels, and parts of an image's rois.
TEST_P(PoolKernel, AnyThreadCount) {
  for (const PoolCase& c : {PoolCase().Rois(160).Channels(70), PoolCase().Rois(1200).Channels(5).Images(1),
                            PoolCase().Rois(1200).Channels(5).Images(3)}) {
    for (const int32_t threads : {1, 3, 64}) {
      ExpectPoolOfCase(PoolCase(c).Type(GetParam().type).Pooled(5, 5).BoxKind(Boxes::kInside), OptionsFor(GetParam(), threads),
                       GetParam().name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PoolKernel, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
