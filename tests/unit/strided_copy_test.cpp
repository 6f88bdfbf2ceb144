#include "strided_copy.h"

#include <gtest/gtest.h>

#include "compare.h"
#include "fill.h"
#include "tensor.h"

namespace roipool::internal {
namespace {

using test::Strides;
using test::Tensor;

constexpr Strides kApart[] = {Strides::kContiguous, Strides::kChannelsLast, Strides::kPadded,
                              Strides::kPaddedRows, Strides::kNegative,     Strides::kInnermostApart};
constexpr DataType kTypes[] = {DataType::kFloat16, DataType::kFloat32, DataType::kFloat64, DataType::kInt32, DataType::kInt64};

TEST(StridedCopy, CopiesBetweenAnyStrides) {
  test::SeededRandom random(1);
  for (const DataType type : kTypes) {
    for (const Strides from_strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kExpanded, Strides::kExpandedRois,
                                       Strides::kNegative, Strides::kInnermostApart}) {
      for (const Strides to_strides : kApart) {
        Tensor from(type, {2, 3, 4, 5}, from_strides), to(type, {2, 3, 4, 5}, to_strides);
        test::FillValues(from, test::Values::kInteger, random);
        CopyStrided(from.layout(), from.view().data, to.layout(), to.mutable_view().data);
        EXPECT_TRUE(test::SameBits(from, to)) << test::NameOf(from_strides) << " to " << test::NameOf(to_strides);
        EXPECT_EQ(to.FindDamage(), "");
      }
    }
  }
}

TEST(StridedCopy, ZeroesElementsAndNotTheGapsBetweenThem) {
  for (const DataType type : kTypes) {
    Tensor zeros(type, {2, 3, 4, 5});
    zeros.SetAll(0);
    for (const Strides strides : kApart) {
      Tensor tensor(type, {2, 3, 4, 5}, strides);
      FillZero(tensor.layout(), tensor.mutable_view().data);
      EXPECT_TRUE(test::SameBits(zeros, tensor)) << test::NameOf(strides);
      EXPECT_EQ(tensor.FindDamage(), "");
    }
  }
}

TEST(StridedCopy, TouchesNothingOfAnEmptyTensor) {
  for (const auto& shape : {std::vector<int64_t>{0, 3, 4, 5}, std::vector<int64_t>{2, 3, 4, 0}}) {
    Tensor from(DataType::kFloat32, shape), to(DataType::kFloat32, shape);
    CopyStrided(from.layout(), nullptr, to.layout(), nullptr);
    FillZero(to.layout(), nullptr);
  }
}

}  // namespace
}  // namespace roipool::internal
