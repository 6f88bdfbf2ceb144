// The tests' own tools: a comparison that never fails, or a guard that never barks, would make everything green.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare.h"
#include "element.h"
#include "grad_case.h"
#include "guarded_buffer.h"
#include "reference.h"
#include "tensor.h"

namespace roipool::test {
namespace {

TEST(Support, EverySmallFloatSurvivesTheRoundTrip) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    for (uint64_t bits = 0; bits <= 0xffff; ++bits) {
      const double number = NumberOf(bits, type);
      if (!std::isnan(number)) {
        ASSERT_EQ(BitsOf(number, type), bits);
      }
    }
  }
}

// Between two neighbours: below the middle, the middle, above it. The even neighbour has a clear last bit.
TEST(Support, SmallFloatsRoundHalfToEven) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    for (uint64_t bits = 0; NumberOf(bits + 1, type) <= LargestOf(type); ++bits) {
      const double low = NumberOf(bits, type), high = NumberOf(bits + 1, type), middle = (low + high) / 2;
      ASSERT_EQ(BitsOf(middle, type), bits + bits % 2);
      ASSERT_EQ(BitsOf(std::nextafter(middle, low), type), bits);
      ASSERT_EQ(BitsOf(std::nextafter(middle, high), type), bits + 1);
    }
  }
  EXPECT_EQ(BitsOf(65519.99, DataType::kFloat16), 0x7bffu);
  EXPECT_EQ(BitsOf(65520, DataType::kFloat16), 0x7c00u);
  EXPECT_EQ(BitsOf(0x1p-25, DataType::kFloat16), 0u);
  EXPECT_EQ(BitsOf(-1e300, DataType::kBFloat16), 0xff80u);
}

TEST(Support, GuardedBufferNoticesWritesNextToIt) {
  for (const Fence fence : {Fence::kBehind, Fence::kBefore}) {
    GuardedBuffer buffer(40, fence);
    EXPECT_EQ(buffer.FindDamage(), "");
    std::byte* outside = fence == Fence::kBehind ? buffer.data() - 1 : buffer.data() + 40;
    const std::byte before = *outside;
    *outside = std::byte{0};
    EXPECT_NE(buffer.FindDamage(), "");
    EXPECT_NONFATAL_FAILURE(GuardedBuffer(std::move(buffer)), "was overwritten");
    static_cast<void>(before);
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(SupportDeathTest, GuardedBufferEndsTheProgramAtItsFence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto read = [](const std::byte* address) { return static_cast<int>(*const_cast<const volatile std::byte*>(address)); };
  SetCrashNote("a note");
  GuardedBuffer behind(40, Fence::kBehind), before(40, Fence::kBefore);
  EXPECT_DEATH(read(behind.data() + 40), "a note");
  EXPECT_DEATH(read(before.data() - 1), "a note");
  behind.MakeReadOnly();
  EXPECT_DEATH(*behind.data() = std::byte{1}, "a note");
}
#endif

TEST(Support, TensorNoticesWritesIntoItsGaps) {
  Tensor tensor(DataType::kFloat32, {2, 2, 2, 3}, Strides::kPadded);
  tensor.SetAll(1);
  EXPECT_EQ(tensor.FindDamage(), "");
  static_cast<float*>(tensor.AddressOf(5))[1] = 0;
  static_cast<float*>(tensor.AddressOf(11))[1] = 0;
  EXPECT_NE(tensor.FindDamage(), "");
}

TEST(Support, TensorsOfAnyStridesHoldTheSameNumbers) {
  for (int kind = 0; kind <= static_cast<int>(Strides::kInnermostApart); ++kind) {
    const auto strides = static_cast<Strides>(kind);
    if (strides == Strides::kExpanded || strides == Strides::kExpandedRois) continue;
    Tensor tensor(DataType::kInt32, {2, 3, 4, 5}, strides);
    for (int64_t i = 0; i < tensor.count(); ++i) tensor.SetNumber(i, static_cast<double>(i));
    for (int64_t i = 0; i < tensor.count(); ++i) ASSERT_EQ(tensor.Number(i), static_cast<double>(i)) << NameOf(strides);
    EXPECT_EQ(tensor.FindDamage(), "");
  }
}

TEST(Support, SameBitsNamesTheFirstDifference) {
  const Tensor expected = Tensor::Of(DataType::kFloat32, {1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  Tensor got = Tensor::Of(DataType::kFloat32, {1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(SameBits(expected, got));
  got.SetNumber(4, 7);
  got.SetNumber(5, -6);
  const std::string message = SameBits(expected, got).message();
  EXPECT_NE(message.find("2 of 6 elements differ, the first at [0, 1, 0, 1]"), std::string::npos) << message;
  EXPECT_NE(message.find("4 >7< -6"), std::string::npos) << message;
}

TEST(Support, SameBitsTellsZerosAndNaNsApart) {
  Tensor a = Tensor::Of(DataType::kFloat32, {1}, {0.0}), b = Tensor::Of(DataType::kFloat32, {1}, {-0.0});
  EXPECT_FALSE(SameBits(a, b));
  a.SetBits(0, 0x7fc00000);
  b.SetBits(0, 0xffc00000);
  EXPECT_FALSE(SameBits(a, b));
}

TEST(Support, ResultsOfZerosAreNotTelling) {
  Tensor result(DataType::kFloat32, {1, 1, 10, 100});
  result.SetAll(0);
  EXPECT_FALSE(IsTelling(result, 1000));
  result.SetNumber(3, 1);
  EXPECT_FALSE(IsTelling(result, 1000));
  EXPECT_TRUE(IsTelling(result, 100));
}

TEST(Support, FencedMemoryHoldsTheSameCaseAtBothEnds) {
  const GradProblem behind(GradCase().Fenced(Fence::kBehind)), before(GradCase().Fenced(Fence::kBefore));
  EXPECT_TRUE(SameBits(behind.grad_output, before.grad_output));
  EXPECT_TRUE(SameBits(behind.argmax, before.argmax));
}

TEST(Support, ReferencesAgreeWhereSumsAreExact) {
  const GradProblem problem(GradCase().Data(Values::kInteger).Rois(50));
  const Tensor ordered = ReferenceGrad(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape());
  EXPECT_EQ(ordered.Numbers(),
            ReferenceGradInDouble(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape()));
}

}  // namespace
}  // namespace roipool::test
