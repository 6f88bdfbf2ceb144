// Which pictures are read, and how everything else is refused.
#include "photograph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "npy_file.h"
#include "temporary_folder.h"
#include "test_pictures.h"
#include "user_error.h"

namespace roipool::test {
namespace {

using cli::Photograph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Photograph Load(const std::string& bytes) {
  const TemporaryFolder folder;
  WriteBytes(folder.File("picture"), bytes);
  return cli::LoadPhotograph(folder.File("picture"));
}

std::string Refusal(const std::string& bytes) {
  try {
    Load(bytes);
    return {};
  } catch (const cli::UserError& error) {
    return error.what();
  }
}

std::vector<int> PixelOf(const Photograph& photograph, int x, int y) {
  const uint8_t* p = photograph.At(x, y);
  return {p[0], p[1], p[2]};
}

TEST(Photograph, ReadsPng) {
  Photograph picture = GreyPicture(40, 33, 90);
  picture.rgb[(5 * 40 + 7) * 3 + 1] = 200;
  const Photograph read = Load(PngBytes(picture));
  EXPECT_EQ(read.width, 40);
  EXPECT_EQ(read.height, 33);
  EXPECT_EQ(read.rgb, picture.rgb);
}

TEST(Photograph, ReadsPngWithPaletteAndInterlacing) {
  const Photograph read = Load(InterlacedPalettePngBytes());
  ASSERT_EQ(read.width, 32);
  ASSERT_EQ(read.height, 32);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      ASSERT_THAT(PixelOf(read, x, y), x < 16 ? ElementsAre(255, 0, 0) : ElementsAre(0, 0, 255)) << x << ", " << y;
    }
  }
}

TEST(Photograph, ReadsJpeg) {
  const Photograph picture = GreyPicture(48, 40, 150);
  const Photograph read = Load(JpegBytes(picture));
  EXPECT_EQ(read.width, 48);
  EXPECT_EQ(read.height, 40);
  for (size_t i = 0; i < read.rgb.size(); ++i) ASSERT_LE(std::abs(read.rgb[i] - 150), 2) << i;
}

TEST(Photograph, LumaIsBetween0And1) {
  EXPECT_FLOAT_EQ(GreyPicture(32, 32, 255).Luma(3, 4), 1.0f);
  EXPECT_FLOAT_EQ(GreyPicture(32, 32, 0).Luma(3, 4), 0.0f);
}

TEST(Photograph, RefusesOtherFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(cli::LoadPhotograph(folder.File("none.png")), cli::UserError);
  EXPECT_THROW(cli::LoadPhotograph(folder.File("")), cli::UserError);
  EXPECT_THAT(Refusal(""), HasSubstr("neither PNG nor JPEG"));
  EXPECT_THAT(Refusal("GIF89a"), HasSubstr("neither PNG nor JPEG"));
}

TEST(Photograph, RefusesCutOffPictures) {
  const Photograph picture = SquaresPicture(64, 64, 5, 9);
  for (const std::string& bytes : {PngBytes(picture), JpegBytes(picture)}) {
    for (size_t size = 0; size < bytes.size() * 9 / 10; size += 7) {
      EXPECT_NE(Refusal(bytes.substr(0, size)), "") << "the first " << size << " of " << bytes.size() << " bytes";
    }
  }
}

TEST(Photograph, RefusesSizesThatWouldNotFit) {
  EXPECT_THAT(Refusal(PngBytes(GreyPicture(31, 40, 0))), HasSubstr("31 x 40 pixels"));
  EXPECT_THAT(Refusal(PngBytes(GreyPicture(8193, 32, 0))), HasSubstr("8193 x 32 pixels"));
  std::string huge = PngBytes(GreyPicture(40, 40, 0));
  huge[16] = '\x7f';  // A width of two thousand million pixels.
  EXPECT_THAT(Refusal(huge), HasSubstr("pixels"));
}

}  // namespace
}  // namespace roipool::test
