#include "compare.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace roipool::test {
namespace {

constexpr int64_t kNeighbours = 3;

std::string Show(const Tensor& tensor, int64_t position) {
  std::ostringstream text;
  text << std::setprecision(17) << tensor.Number(position) << " (0x" << std::hex << tensor.Bits(position) << ")";
  return text.str();
}

std::string ShowRow(const Tensor& tensor, int64_t position) {
  const int64_t width = tensor.shape().back(), row = position / width * width;
  std::ostringstream text;
  text << std::setprecision(9);
  for (int64_t i = std::max(row, position - kNeighbours); i < std::min(row + width, position + kNeighbours + 1); ++i) {
    text << (i == position ? " >" : " ") << tensor.Number(i) << (i == position ? "<" : "");
  }
  return text.str();
}

}  // namespace

testing::AssertionResult SameBits(const Tensor& expected, const Tensor& actual) {
  if (expected.type() != actual.type() || expected.shape() != actual.shape()) {
    return testing::AssertionFailure() << "the types or shapes differ";
  }
  int64_t first = -1, differing = 0;
  for (int64_t i = 0; i < expected.count(); ++i) {
    if (expected.Bits(i) == actual.Bits(i)) continue;
    if (first == -1) first = i;
    ++differing;
  }
  if (first == -1) return testing::AssertionSuccess();
  return testing::AssertionFailure() << differing << " of " << expected.count() << " elements differ, the first at "
                                     << expected.CoordinatesOf(first) << ": expected " << Show(expected, first) << ", got "
                                     << Show(actual, first) << "\n  expected row:" << ShowRow(expected, first)
                                     << "\n  actual row:  " << ShowRow(actual, first);
}

testing::AssertionResult IsTelling(const Tensor& expected, int64_t places) {
  int64_t other_than_zero = 0;
  for (int64_t i = 0; i < expected.count(); ++i) other_than_zero += expected.Bits(i) != 0;
  const int64_t wanted = (std::min(places, expected.count()) + 99) / 100;
  if (other_than_zero >= wanted) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "only " << other_than_zero << " of " << expected.count()
                                     << " expected elements are not 0: this case shows nothing";
}

}  // namespace roipool::test
