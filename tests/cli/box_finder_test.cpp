// Boxes found without being told.
#include "box_finder.h"

#include <gtest/gtest.h>

#include "feature_map.h"
#include "test_pictures.h"

namespace roipool::test {
namespace {

using cli::Box;

TEST(BoxFinder, FindsTheOneThingInThePicture) {
  cli::Photograph picture = GreyPicture(200, 160, 20);
  for (int y = 90; y < 120; ++y) {
    for (int x = 40; x < 70; ++x) {
      for (int c = 0; c < 3; ++c) picture.rgb[(static_cast<size_t>(y) * 200 + x) * 3 + c] = (x / 5 + y / 5) % 2 == 0 ? 255 : 0;
    }
  }
  const std::vector<Box> boxes = cli::FindBoxes(cli::MakeFeatureMap(picture), 1);
  ASSERT_EQ(boxes.size(), 1u);
  const Box thing{40, 90, 70, 120};
  EXPECT_GE(cli::SharedArea(boxes[0], thing), 0.9f * cli::Area(thing));
  EXPECT_LE(cli::Area(boxes[0]), 3 * cli::Area(thing));
}

TEST(BoxFinder, KeepsToThePictureAndToTheCount) {
  const auto map = cli::MakeFeatureMap(SquaresPicture(202, 151, 13, 37));
  const std::vector<Box> boxes = cli::FindBoxes(map, 12);
  EXPECT_EQ(boxes.size(), 12u);
  for (const Box& box : boxes) {
    EXPECT_GE(box.x1, 0);
    EXPECT_GE(box.y1, 0);
    EXPECT_LT(box.x1, box.x2);
    EXPECT_LT(box.y1, box.y2);
    EXPECT_LE(box.x2, 204);
    EXPECT_LE(box.y2, 152);
  }
}

TEST(BoxFinder, FindsNothingWhereNothingIs) {
  EXPECT_TRUE(cli::FindBoxes(cli::MakeFeatureMap(GreyPicture(64, 64, 128)), 32).empty());
}

}  // namespace
}  // namespace roipool::test
