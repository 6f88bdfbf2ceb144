// Pictures that tests know by heart.
#ifndef ROIPOOL_TESTS_CLI_TEST_PICTURES_H_
#define ROIPOOL_TESTS_CLI_TEST_PICTURES_H_

#include <cstdint>
#include <string>
#include <utility>

#include "photograph.h"

namespace roipool::test {

/// All of one grey.
cli::Photograph GreyPicture(int width, int height, uint8_t grey);

/// White squares on black, each `side` pixels, one every `period` pixels: edges everywhere.
cli::Photograph SquaresPicture(int width, int height, int side, int period);

std::string PngBytes(const cli::Photograph& picture);
std::string JpegBytes(const cli::Photograph& picture);

/// A PNG of 32 x 32 pixels with a palette and interlacing: the left half red, the right half blue.
std::string InterlacedPalettePngBytes();

/// The width and height that a PNG's header states. Throws std::runtime_error if the bytes are no PNG.
std::pair<uint32_t, uint32_t> PngSize(const std::string& bytes);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_CLI_TEST_PICTURES_H_
