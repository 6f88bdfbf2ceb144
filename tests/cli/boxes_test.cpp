// The CSV of boxes.
#include "boxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "user_error.h"

namespace roipool::test {
namespace {

using cli::Box;
using ::testing::HasSubstr;

std::vector<Box> Parse(const std::string& text) {
  std::istringstream stream(text);
  return cli::ParseBoxes(stream, "boxes.csv", 100, 80);
}

std::string Refusal(const std::string& text) {
  try {
    Parse(text);
    return {};
  } catch (const cli::UserError& error) {
    return error.what();
  }
}

TEST(Boxes, ReadsLinesWithAndWithoutHeader) {
  for (const char* text : {"1,2,30.5,40\n-5,0,120,90\n", "x1,y1,x2,y2\n1,2,30.5,40\n-5,0,120,90",
                           "\xef\xbb\xbf# mine\r\n\r\n 1 , 2,30.5,4e1\r\n-5,+0,120,90\r\n"}) {
    const std::vector<Box> boxes = Parse(text);
    ASSERT_EQ(boxes.size(), 2u) << text;
    EXPECT_EQ(boxes[0].x1, 1);
    EXPECT_EQ(boxes[0].y1, 2);
    EXPECT_EQ(boxes[0].x2, 30.5f);
    EXPECT_EQ(boxes[0].y2, 40);
    EXPECT_EQ(boxes[1].x1, -5);
    EXPECT_EQ(boxes[1].y2, 90);
  }
}

TEST(Boxes, NamesTheLineOfAFault) {
  EXPECT_THAT(Refusal("x1,y1,x2,y2\n1,2,3,4\n1,2,3\n"), HasSubstr("'boxes.csv' line 3 has 3 fields"));
  EXPECT_THAT(Refusal("1,2,3,4,5\n"), HasSubstr("line 1 has 5 fields"));
  EXPECT_THAT(Refusal("# first\n\n1,2,x,4\n"), HasSubstr("line 3 has 'x' as field 3"));
  EXPECT_THAT(Refusal("1,2,3,nan\n"), HasSubstr("'nan' as field 4"));
  EXPECT_THAT(Refusal("1,2,1e99,4\n"), HasSubstr("'1e99' as field 3"));
  EXPECT_THAT(Refusal("1,2,,4\n"), HasSubstr("'' as field 3"));
  EXPECT_THAT(Refusal("5,2,5,4\n"), HasSubstr("x1 = 5 and x2 = 5"));
  EXPECT_THAT(Refusal("1,9,5,4\n"), HasSubstr("y1 = 9 and y2 = 4"));
  EXPECT_THAT(Refusal("100,2,105,4\n"), HasSubstr("outside the picture of 100 x 80 pixels"));
  EXPECT_THAT(Refusal("x1,y1,x2,y2\nx1,y1,x2,y2\n"), HasSubstr("line 2"));
}

TEST(Boxes, NeedsOne) {
  EXPECT_THAT(Refusal(""), HasSubstr("holds no boxes"));
  EXPECT_THAT(Refusal("x1,y1,x2,y2\n"), HasSubstr("holds no boxes"));
}

TEST(Boxes, BecomeRoisOfImage0) {
  const cli::Array rois = cli::BoxesToRois({{1, 2, 3, 4}, {5, 6, 7, 8}});
  EXPECT_THAT(rois.shape, ::testing::ElementsAre(2, 5));
  const auto* values = static_cast<const float*>(rois.data.get());
  EXPECT_THAT(std::vector<float>(values, values + 10), ::testing::ElementsAre(0, 1, 2, 3, 4, 0, 5, 6, 7, 8));
}

TEST(Boxes, SharedArea) {
  EXPECT_EQ(cli::SharedArea({0, 0, 4, 4}, {2, 3, 9, 9}), 2);
  EXPECT_EQ(cli::SharedArea({0, 0, 4, 4}, {4, 0, 9, 9}), 0);
  EXPECT_EQ(cli::Area({1, 2, 3, 7}), 10);
}

}  // namespace
}  // namespace roipool::test
