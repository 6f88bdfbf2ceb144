#include "shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    ParseShapes(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Shapes, ByName) {
  const std::vector<Shape> shapes = ParseShapes("A,E");
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].rois, 1024);
  EXPECT_EQ(shapes[1].pixels(), 200 * 272);
  for (const std::string bad : {"Z", "A,Z", "A;E", ""}) EXPECT_THAT(ErrorOf(bad), testing::HasSubstr("A, B, C, D, E")) << bad;
}

TEST(Shapes, OfAFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.File("shapes.txt");
  std::ofstream(path) << "# mine\n\nhead 2 8 10 12 30 7 7  # small\r\nmask 1 4 5 6 3 14 14\n";
  const std::vector<Shape> shapes = ParseShapes(path);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].name, "head");
  EXPECT_EQ(shapes[0].entries(), 30 * 8 * 49);
  EXPECT_EQ(shapes[1].pooled_w, 14);
  const std::pair<const char*, const char*> kBad[] = {{"head 2 8 10 12 30 7", ":1: must be: name images"},
                                                      {"head 2 8 10 12 30 7 7 7", ":1: must be: name images"},
                                                      {"head 2 8 10 twelve 30 7 7", ":1: must be: name images"},
                                                      {"\nhead 0 8 10 12 30 7 7", ":2: extents must be at least 1"},
                                                      {"head 2 8 10 12 3000000000 7 7", ":1: extents must be"},
                                                      {"a 1 1 1 1 1 1 1\na 1 1 1 1 1 1 1", ":2: the name a is taken"},
                                                      {"# nothing", "holds no shape"}};
  for (const auto& [text, expected] : kBad) {
    std::ofstream(path) << text;
    EXPECT_THAT(ErrorOf(path), testing::HasSubstr(expected)) << text;
  }
}

}  // namespace
}  // namespace roipool::cli
