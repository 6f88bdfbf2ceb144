// Whether tests run all cases of their lists, or where a case costs milliseconds some of them in turn.
#ifndef ROIPOOL_TESTS_SUPPORT_EVERY_CASE_H_
#define ROIPOOL_TESTS_SUPPORT_EVERY_CASE_H_

#include <cstdlib>

#include "kernel_rows.h"

namespace roipool::test {

/// The environment variable ROIPOOL_TEST_EVERY_CASE; and always for kernels of a CPU.
inline bool RunsEveryCase(const KernelRow& row) {
  return row.device == Device::kCpu || std::getenv("ROIPOOL_TEST_EVERY_CASE") != nullptr;
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_EVERY_CASE_H_
