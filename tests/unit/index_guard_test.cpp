// The checks of tensor contents: every value outside the rules is found, the first one is named.
#include "index_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "fill.h"
#include "status_matchers.h"
#include "tensor.h"

namespace roipool::internal {
namespace {

using test::Strides;
using test::Tensor;

constexpr DataType kFloatTypes[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

Tensor RoisOf(DataType type, const std::vector<double>& images, Strides strides = Strides::kContiguous) {
  Tensor rois(type, {static_cast<int64_t>(images.size()), 5}, strides);
  rois.SetAll(0);
  for (size_t r = 0; r < images.size(); ++r) rois.SetNumber(static_cast<int64_t>(r) * 5, images[r]);
  return rois;
}

TEST(ReadImages, ReadsColumnZeroOfAnyTypeAndStrides) {
  for (const DataType type : kFloatTypes) {
    for (const Strides strides : {Strides::kContiguous, Strides::kNegative, Strides::kInnermostApart, Strides::kChannelsLast}) {
      const Tensor rois = RoisOf(type, {2, 0, -0.0, 4, 1}, strides);
      std::vector<int32_t> images(5);
      ASSERT_OK(ReadImages("F", rois.view(), 5, images.data()));
      EXPECT_EQ(images, (std::vector<int32_t>{2, 0, 0, 4, 1}));
    }
  }
}

TEST(ReadImages, NamesTheFirstBadIndex) {
  for (const DataType type : kFloatTypes) {
    for (const auto& [bad, shown] :
         {std::pair{3.0, "is 3,"}, std::pair{-1.0, "is -1,"}, std::pair{0.5, "is 0.5,"}, std::pair{kNaN, "is nan,"},
          std::pair{kInfinity, "is inf,"}, std::pair{-kInfinity, "is -inf,"}, std::pair{-0.25, "is -0.25,"}}) {
      const Tensor rois = RoisOf(type, {0, 2, bad, 7});
      std::vector<int32_t> images(4);
      EXPECT_FAILS(ReadImages("F", rois.view(), 3, images.data()), StatusCode::kOutOfRange, "F: rois[2, 0] ", shown, "[0, 3)");
    }
  }
}

TEST(SortByImage, IsAStableSort) {
  test::SeededRandom random(5);
  for (const int64_t count : {0, 1, 2, 100}) {
    for (const int64_t image_count : {1, 2, 7}) {
      std::vector<int32_t> images(static_cast<size_t>(count)), order(images.size()), expected(images.size());
      for (int32_t& image : images) image = static_cast<int32_t>(random.Whole(0, image_count - 1));
      std::iota(expected.begin(), expected.end(), 0);
      const auto image_of = [&](int32_t r) { return images[static_cast<size_t>(r)]; };
      std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) { return image_of(a) < image_of(b); });
      std::vector<int32_t> begin(static_cast<size_t>(image_count) + 1, -1);
      SortByImage(images.data(), count, image_count, order.data(), begin.data());
      EXPECT_EQ(order, expected);
      for (int32_t n = 0; n <= image_count; ++n) {
        EXPECT_EQ(begin[static_cast<size_t>(n)],
                  std::count_if(images.begin(), images.end(), [&](int32_t image) { return image < n; }));
      }
    }
  }
}

TEST(ReadBoxes, ReadsBothLayouts) {
  for (const DataType type : kFloatTypes) {
    const Tensor rois = Tensor::Of(type, {2, 5}, {0, 1, 2, 3, 4, 1, -5.5, 6, 7, 8});
    std::vector<float> boxes(8);
    ASSERT_OK(ReadBoxes("F", rois.view(), RoiLayout::kX1Y1X2Y2, boxes.data()));
    EXPECT_EQ(boxes, (std::vector<float>{1, 2, 3, 4, -5.5, 6, 7, 8}));
    ASSERT_OK(ReadBoxes("F", rois.view(), RoiLayout::kX1X2Y1Y2, boxes.data()));
    EXPECT_EQ(boxes, (std::vector<float>{1, 3, 2, 4, -5.5, 7, 6, 8}));
  }
}

TEST(ReadBoxes, RoundsFloat64AndKeepsItFinite) {
  const Tensor rois = Tensor::Of(DataType::kFloat64, {1, 5}, {0, 0.1, 1e300, -1e300, 16777217});
  constexpr float kLargest = std::numeric_limits<float>::max();
  std::vector<float> boxes(4);
  ASSERT_OK(ReadBoxes("F", rois.view(), RoiLayout::kX1Y1X2Y2, boxes.data()));
  EXPECT_EQ(boxes, (std::vector<float>{0.1f, kLargest, -kLargest, 16777216}));
}

TEST(ReadBoxes, NamesTheFirstCoordinateThatIsNotFinite) {
  for (const DataType type : kFloatTypes) {
    for (const RoiLayout layout : {RoiLayout::kX1Y1X2Y2, RoiLayout::kX1X2Y1Y2}) {
      for (int64_t column = 1; column < 5; ++column) {
        Tensor rois = RoisOf(type, {0, 0, 0});
        rois.SetNumber(5 + column, kNaN);
        rois.SetNumber(10 + column, kInfinity);
        std::vector<float> boxes(12);
        EXPECT_FAILS(ReadBoxes("F", rois.view(), layout, boxes.data()), StatusCode::kOutOfRange,
                     "F: rois[1, " + std::to_string(column) + "] is nan", "finite");
        rois.SetNumber(5 + column, 0);
        EXPECT_FAILS(ReadBoxes("F", rois.view(), layout, boxes.data()), StatusCode::kOutOfRange,
                     "F: rois[2, " + std::to_string(column) + "] is inf", "finite");
      }
    }
  }
}

TEST(ConvertArgmax, CopiesAnyTypeAndStrides) {
  test::SeededRandom random(6);
  for (const DataType type :
       {DataType::kInt32, DataType::kInt64, DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    for (const Strides strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kPaddedRows, Strides::kNegative,
                                  Strides::kExpanded, Strides::kInnermostApart}) {
      Tensor argmax(type, {2, 3, 4, 5}, strides);
      test::FillArgmax(argmax, 256, 0.2, random);
      std::vector<int32_t> converted(120);
      ASSERT_OK(ConvertArgmax("F", argmax.view(), 256, converted.data()));
      EXPECT_EQ(std::vector<double>(converted.begin(), converted.end()), argmax.Numbers()) << test::NameOf(strides);
    }
  }
}

TEST(ConvertArgmax, NamesTheFirstBadEntry) {
  for (const DataType type : kFloatTypes) {
    for (const double bad : {8.0, -2.0, 0.5, -0.5, kNaN, kInfinity, -kInfinity, 1e4}) {
      Tensor argmax(type, {2, 3, 2, 2});
      argmax.SetAll(7);
      argmax.SetNumber(21, bad);
      argmax.SetNumber(22, -3);
      std::vector<int32_t> converted(24);
      EXPECT_FAILS(ConvertArgmax("F", argmax.view(), 8, converted.data()), StatusCode::kOutOfRange, "F: argmax[1, 2, 0, 1] is ",
                   "[0, 8)");
    }
  }
}

// S6: checked before it is narrowed. Each of these is in range in its lower 32 bits.
TEST(ConvertArgmax, ChecksInt64BeforeNarrowing) {
  for (const int64_t bad : {INT64_C(1) << 32, -(INT64_C(1) << 32), (INT64_C(1) << 32) + 3, std::numeric_limits<int64_t>::min(),
                            std::numeric_limits<int64_t>::max(), INT64_C(4294967295)}) {
    Tensor argmax(DataType::kInt64, {1, 1, 1, 2});
    argmax.SetAll(0);
    argmax.SetBits(1, static_cast<uint64_t>(bad));
    std::vector<int32_t> converted(2);
    EXPECT_FAILS(ConvertArgmax("F", argmax.view(), 8, converted.data()), StatusCode::kOutOfRange, "argmax[0, 0, 0, 1] is ",
                 "[0, 8)")
        << bad;
  }
}

TEST(ExplainBadArgmax, NamesTheFirstBadEntryInRowMajorOrder) {
  Tensor argmax(DataType::kInt32, {2, 2, 2, 3}, Strides::kChannelsLast);
  argmax.SetAll(-1);
  argmax.SetNumber(7, 10);
  argmax.SetNumber(8, -2);
  EXPECT_FAILS(ExplainBadArgmax("F", argmax.view(), 10), StatusCode::kOutOfRange, "F: argmax[0, 1, 0, 1] is 10",
               "-1 or a whole number in [0, 10)");
}

TEST(ExplainBadArgmax, SaysSoWhenTheEntryIsGone) {
  Tensor argmax(DataType::kInt32, {1, 1, 1, 2});
  argmax.SetAll(0);
  EXPECT_FAILS(ExplainBadArgmax("F", argmax.view(), 10), StatusCode::kOutOfRange, "argmax", "changed during the call");
}

}  // namespace
}  // namespace roipool::internal
