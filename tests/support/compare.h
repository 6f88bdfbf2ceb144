// Bit by bit, and what to tell a person about the first bit that differs.
#ifndef ROIPOOL_TESTS_SUPPORT_COMPARE_H_
#define ROIPOOL_TESTS_SUPPORT_COMPARE_H_

#include <gtest/gtest.h>

#include "tensor.h"

namespace roipool::test {

/// Whether two tensors of one type and shape hold the same bits. A failure names the first place that differs, what lies around
/// it in the same row, and how many places differ.
testing::AssertionResult SameBits(const Tensor& expected, const Tensor& actual);

/// Whether an expected result shows enough to be worth comparing: of `places` that may hold something else than +0, at least
/// one in a hundred does.
testing::AssertionResult IsTelling(const Tensor& expected, int64_t places);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_COMPARE_H_
