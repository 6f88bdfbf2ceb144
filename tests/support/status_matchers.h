// Expectations on a Status, and how one is printed.
#ifndef ROIPOOL_TESTS_SUPPORT_STATUS_MATCHERS_H_
#define ROIPOOL_TESTS_SUPPORT_STATUS_MATCHERS_H_

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <vector>

#include "roipool/status.h"

namespace roipool {

inline void PrintTo(const Status& status, std::ostream* out) {
  *out << StatusCodeName(status.code()) << " \"" << status.message() << "\"";
}
inline void PrintTo(StatusCode code, std::ostream* out) { *out << StatusCodeName(code); }

namespace test {

MATCHER(IsOk, "is Ok") { return arg.ok(); }

MATCHER_P2(Fails, code, texts,
           std::string("fails with ") + StatusCodeName(code) + " and mentions each of " + testing::PrintToString(texts)) {
  if (arg.code() != code) return false;
  for (const std::string& text : texts) {
    if (std::string(arg.message()).find(text) == std::string::npos) {
      *result_listener << "\"" << text << "\" is missing";
      return false;
    }
  }
  return true;
}

using Texts = std::vector<std::string>;

}  // namespace test
}  // namespace roipool

#define ASSERT_OK(expression) ASSERT_THAT((expression), ::roipool::test::IsOk())
#define EXPECT_OK(expression) EXPECT_THAT((expression), ::roipool::test::IsOk())
/// EXPECT_FAILS(RoiPoolGrad(...), StatusCode::kOutOfRange, "rois[3, 0] is 0.5", "[0, 2)");
#define EXPECT_FAILS(expression, code, ...) \
  EXPECT_THAT((expression), ::roipool::test::Fails((code), ::roipool::test::Texts{__VA_ARGS__}))

#endif  // ROIPOOL_TESTS_SUPPORT_STATUS_MATCHERS_H_
