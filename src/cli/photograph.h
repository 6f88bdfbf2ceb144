// Photographs from PNG and JPEG files.
#ifndef ROIPOOL_CLI_PHOTOGRAPH_H_
#define ROIPOOL_CLI_PHOTOGRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roipool::cli {

struct Photograph {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  ///< Rows from the top, three bytes a pixel.

  /// The three bytes of a pixel.
  const uint8_t* At(int x, int y) const { return rgb.data() + (static_cast<size_t>(y) * width + x) * 3; }
  /// Rec. 601 luma of a pixel, 0 to 1.
  float Luma(int x, int y) const {
    const uint8_t* p = At(x, y);
    return (0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2]) / 255.0f;
  }
};

constexpr int kMinPhotographSide = 32;
constexpr int kMaxPhotographSide = 8192;

/// Reads any PNG (transparent parts become white) or JPEG, told apart by content. Throws UserError for other, damaged, too
/// small or too large pictures.
Photograph LoadPhotograph(const std::string& path);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_PHOTOGRAPH_H_
