#include "tensor_layout.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

namespace roipool::internal {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

TensorLayout Layout(std::initializer_list<int64_t> shape, std::initializer_list<int64_t> strides,
                    DataType type = DataType::kFloat32) {
  TensorLayout layout = TensorLayout::Contiguous(type, shape);
  std::copy(strides.begin(), strides.end(), layout.strides);
  return layout;
}

TEST(TensorLayout, ContiguousIsRowMajor) {
  const TensorLayout layout = TensorLayout::Contiguous(DataType::kFloat16, {2, 3, 4, 5});
  EXPECT_EQ(layout.type, DataType::kFloat16);
  EXPECT_EQ(layout.rank, 4);
  EXPECT_EQ(std::vector<int64_t>(layout.strides, layout.strides + 4), (std::vector<int64_t>{60, 20, 5, 1}));
}

TEST(TensorLayout, ContiguousKeepsARankThatIsTooLarge) {
  EXPECT_EQ(TensorLayout::Contiguous(DataType::kFloat32, {1, 1, 1, 1, 1, 1, 1, 1, 1}).rank, 9);
}

TEST(TensorLayout, ElementSizes) {
  EXPECT_EQ(ElementSize(DataType::kFloat32), 4);
  EXPECT_EQ(ElementSize(DataType::kFloat16), 2);
  EXPECT_EQ(ElementSize(DataType::kBFloat16), 2);
  EXPECT_EQ(ElementSize(DataType::kFloat64), 8);
  EXPECT_EQ(ElementSize(DataType::kInt32), 4);
  EXPECT_EQ(ElementSize(DataType::kInt64), 8);
  EXPECT_EQ(ElementSize(static_cast<DataType>(17)), 0);
  EXPECT_FALSE(IsFloat(static_cast<DataType>(17)));
}

TEST(TensorLayout, ElementCountNeverWraps) {
  int64_t count = 0;
  ASSERT_TRUE(ElementCount(Layout({2, 3, 4, 5}, {}), &count));
  EXPECT_EQ(count, 120);
  ASSERT_TRUE(ElementCount(Layout({kMax, kMax, 0, kMax}, {}), &count));
  EXPECT_EQ(count, 0);
  EXPECT_FALSE(ElementCount(Layout({INT64_C(1) << 32, INT64_C(1) << 32, 1, 1}, {}), &count));
  EXPECT_FALSE(ElementCount(Layout({kMax, 2, 1, 1}, {}), &count));
}

TEST(TensorLayout, BytesSpanned) {
  ByteSpan span;
  ASSERT_TRUE(BytesSpanned(Layout({2, 3}, {3, 1}), &span));
  EXPECT_EQ(span.begin, 0);
  EXPECT_EQ(span.end, 24);
  ASSERT_TRUE(BytesSpanned(Layout({2, 3}, {-10, 2}, DataType::kFloat64), &span));
  EXPECT_EQ(span.begin, -80);
  EXPECT_EQ(span.end, 40);
  ASSERT_TRUE(BytesSpanned(Layout({2, 3}, {0, 0}), &span));
  EXPECT_EQ(span.end, 4);
  ASSERT_TRUE(BytesSpanned(Layout({2, 0}, {kMax, kMax}), &span));
  EXPECT_EQ(span.end, 0);
  EXPECT_FALSE(BytesSpanned(Layout({2, 2}, {kMax, kMax}), &span));
  EXPECT_FALSE(BytesSpanned(Layout({2, 2}, {kMax / 2, 0}), &span)) << "fits in elements, not in bytes";
  EXPECT_FALSE(BytesSpanned(Layout({2, 3}, {0, kMin}), &span));
}

TEST(TensorLayout, ElementsAreApart) {
  EXPECT_TRUE(ElementsAreApart(Layout({2, 3, 4, 5}, {60, 20, 5, 1})));
  EXPECT_TRUE(ElementsAreApart(Layout({2, 3, 4, 5}, {60, 1, 15, 3}))) << "channels last";
  EXPECT_TRUE(ElementsAreApart(Layout({2, 3, 4, 5}, {-60, 20, -5, 1}))) << "reversed";
  EXPECT_TRUE(ElementsAreApart(Layout({2, 1, 1, 5}, {5, 0, 0, 1}))) << "stride 0 over one element";
  EXPECT_TRUE(ElementsAreApart(Layout({2, 0, 4, 5}, {0, 0, 0, 0}))) << "no elements";
  EXPECT_FALSE(ElementsAreApart(Layout({2, 3, 4, 5}, {60, 20, 5, 0})));
  EXPECT_FALSE(ElementsAreApart(Layout({2, 3, 4, 5}, {60, 20, 4, 1}))) << "rows overlap by one";
  EXPECT_FALSE(ElementsAreApart(Layout({2, 2, 1, 1}, {1, 1, 1, 1})));
  EXPECT_FALSE(ElementsAreApart(Layout({2, 2, 1, 1}, {1, -1, 1, 1})));
}

TEST(TensorLayout, FitsKernel) {
  EXPECT_TRUE(FitsKernel(Layout({2, 3, 4, 5}, {60, 1, 15, 3})));
  EXPECT_TRUE(FitsKernel(Layout({2, 3, 4, 5}, {0, 0, 0, 0})));
  EXPECT_TRUE(FitsKernel(Layout({1, 3, 4, 5}, {kMax, 20, 5, 1}))) << "a stride over one element means nothing";
  EXPECT_FALSE(FitsKernel(Layout({2, 3, 4, 5}, {-60, 20, 5, 1})));
  EXPECT_FALSE(FitsKernel(Layout({2, 3, 4, 5}, {INT64_C(1) << 31, 20, 5, 1})));
  EXPECT_TRUE(FitsKernel(Layout({2, 1, 1, 1}, {(INT64_C(1) << 30) - 1, 0, 0, 0})));
}

TEST(TensorLayout, HasDensePlanes) {
  EXPECT_TRUE(HasDensePlanes(Layout({2, 3, 4, 5}, {60, 20, 5, 1})));
  EXPECT_TRUE(HasDensePlanes(Layout({2, 3, 4, 5}, {0, 20, 5, 1}))) << "expanded over rois";
  EXPECT_TRUE(HasDensePlanes(Layout({2, 3, 4, 5}, {99, 33, 5, 1}))) << "padded planes";
  EXPECT_TRUE(HasDensePlanes(Layout({2, 3, 1, 5}, {15, 5, 77, 1})));
  EXPECT_TRUE(HasDensePlanes(Layout({2, 3, 5, 1}, {15, 5, 1, 77})));
  EXPECT_FALSE(HasDensePlanes(Layout({2, 3, 4, 5}, {60, 1, 15, 3})));
  EXPECT_FALSE(HasDensePlanes(Layout({2, 3, 4, 5}, {72, 24, 6, 1}))) << "padded rows";
  EXPECT_FALSE(HasDensePlanes(Layout({2, 3, 4, 5}, {60, 20, 5, 0})));
  EXPECT_FALSE(HasDensePlanes(Layout({2, 3, 4, 5}, {60, -20, 5, 1})));
}

TEST(TensorLayout, IdleStridesBecomeZero) {
  const TensorLayout layout = WithoutIdleStrides(Layout({1, 3, 1, 5}, {7, 5, -4, 1}));
  EXPECT_EQ(std::vector<int64_t>(layout.strides, layout.strides + 4), (std::vector<int64_t>{0, 5, 0, 1}));
}

TEST(TensorLayout, DenseLikeKeepsTypeAndShape) {
  const TensorLayout layout = DenseLike(Layout({2, 3, 4, 5}, {0, -1, 9, 0}, DataType::kBFloat16));
  EXPECT_EQ(layout.type, DataType::kBFloat16);
  EXPECT_EQ(std::vector<int64_t>(layout.shape, layout.shape + 4), (std::vector<int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(std::vector<int64_t>(layout.strides, layout.strides + 4), (std::vector<int64_t>{60, 20, 5, 1}));
}

}  // namespace
}  // namespace roipool::internal
