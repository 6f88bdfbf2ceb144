#include "roipool/status.h"

#include <gtest/gtest.h>

#include <string>

namespace roipool {
namespace {

TEST(Status, IsOkWithoutTextByDefault) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_STREQ(status.message(), "");
}

TEST(Status, OwnsItsText) {
  std::string text = "a text";
  const Status status(StatusCode::kOverlap, text.c_str());
  text.assign("another");
  EXPECT_FALSE(status.ok());
  EXPECT_STREQ(status.message(), "a text");
}

TEST(Status, CutsLongTexts) {
  const std::string fits(Status::kMaxMessage, 'x'), too_long(Status::kMaxMessage + 1, 'x');
  EXPECT_EQ(Status(StatusCode::kInternal, fits.c_str()).message(), fits);
  EXPECT_EQ(Status(StatusCode::kInternal, too_long.c_str()).message(), fits);
}

TEST(Status, TakesNullForNoText) { EXPECT_STREQ(Status(StatusCode::kInternal, nullptr).message(), ""); }

TEST(Status, CopiesStayWhenTheOriginalChanges) {
  Status original(StatusCode::kOutOfRange, "first");
  const Status copy = original;
  original = Status(StatusCode::kOverlap, "second, and longer");
  EXPECT_EQ(copy.code(), StatusCode::kOutOfRange);
  EXPECT_STREQ(copy.message(), "first");
  EXPECT_STREQ(original.message(), "second, and longer");
  original = Status();
  EXPECT_TRUE(original.ok());
  EXPECT_STREQ(original.message(), "");
  Status& same = original;
  original = same;
  EXPECT_TRUE(original.ok());
}

TEST(Status, EveryCodeHasItsName) {
  constexpr const char* kNames[] = {"Ok",      "NullArgument", "InvalidArgument",  "Unsupported", "OutOfRange", "SizeOverflow",
                                    "Overlap", "InvalidState", "InvalidWorkspace", "OutOfMemory", "Internal"};
  for (int code = 0; code < static_cast<int>(std::size(kNames)); ++code) {
    EXPECT_STREQ(StatusCodeName(static_cast<StatusCode>(code)), kNames[code]);
  }
  EXPECT_STREQ(StatusCodeName(static_cast<StatusCode>(99)), "Unknown");
}

}  // namespace
}  // namespace roipool
