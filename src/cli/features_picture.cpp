#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "feature_map.h"
#include "pictures.h"

namespace roipool::cli {
namespace {

constexpr double kTileRoom = 140;
constexpr double kGap = 8;
constexpr double kMinColumn = 108;  // A label and its line must fit.
constexpr double kRowLabel = 96;
constexpr double kColumnLabel = 26;
constexpr TextStyle kLabelStyle{14, false, kGreyInk};

constexpr const char* kCaption =
    "The {} channels of the feature map, {} x {} pixels each, one for {} x {} pixels of the photograph. Made by plain filters, "
    "without a network: the three colours, and the strength of edges in {} directions after a Gaussian blur of three sizes. "
    "Each row has its own brightness.";

// One channel in shades of `map`; `largest` gets its last colour.
Raster ChannelRaster(const Array& features, int channel, float largest, ColourMap map) {
  Raster raster{static_cast<int>(features.shape[3]), static_cast<int>(features.shape[2]), {}};
  const size_t pixels = static_cast<size_t>(raster.width) * raster.height;
  const float* values = static_cast<const float*>(features.data.get()) + channel * pixels;
  for (size_t p = 0; p < pixels; ++p) raster.pixels.push_back(ToPixel(ColourAt(map, values[p] / largest)));
  return raster;
}

// Nearly the largest value of some channels: a few bright pixels shall not darken all others.
float AlmostLargest(const Array& features, int first_channel, int count) {
  const size_t pixels = static_cast<size_t>(features.shape[2] * features.shape[3]);
  const float* begin = static_cast<const float*>(features.data.get()) + first_channel * pixels;
  std::vector<float> values(begin, begin + count * pixels);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 995 / 1000);
  std::nth_element(values.begin(), nth, values.end());
  return std::max(*nth, 1e-6f);
}

constexpr Colour kBlack{0.0, 0.0, 0.0};
constexpr Colour kRed[] = {kBlack, {1.0, 0.25, 0.2}};
constexpr Colour kGreen[] = {kBlack, {0.3, 1.0, 0.35}};
constexpr Colour kBlue[] = {kBlack, {0.35, 0.55, 1.0}};
constexpr ColourMap kShades[kColourChannels] = {kRed, kGreen, kBlue};

struct Grid {
  Rectangle content;
  double tile_width;
  double tile_height;

  double ColumnWidth() const { return std::max(tile_width, kMinColumn) + kGap; }
  Rectangle Tile(int column, int row) const {
    return {content.x + kRowLabel + column * ColumnWidth(),
            content.y + row * (tile_height + kColumnLabel + kGap) + kColumnLabel, tile_width, tile_height};
  }
};

void DrawTile(cairo_t* context, const Rectangle& tile, const Raster& raster, const std::string& label) {
  DrawRaster(context, raster, tile, tile, Scaling::kSmooth);
  DrawText(context, tile.x + tile.width / 2, tile.y - 8, label, kLabelStyle, Align::kCentre);
}

// A short line in the direction of the edges, right of a tile's label.
void DrawDirection(cairo_t* context, const Rectangle& tile, double degrees) {
  constexpr double kHalfLength = 9;
  const double angle = degrees * std::numbers::pi / 180;
  const double x = tile.x + tile.width / 2 + 42;
  const double y = tile.y - 13;
  cairo_set_source_rgb(context, kInk.red, kInk.green, kInk.blue);
  cairo_set_line_width(context, 2);
  cairo_move_to(context, x - kHalfLength * std::cos(angle), y + kHalfLength * std::sin(angle));
  cairo_line_to(context, x + kHalfLength * std::cos(angle), y - kHalfLength * std::sin(angle));
  cairo_stroke(context);
}

void DrawRowLabel(cairo_t* context, const Rectangle& first_tile, const std::string& line1, const std::string& line2) {
  const double middle = first_tile.y + first_tile.height / 2;
  DrawText(context, first_tile.x - 14, middle - 4, line1, {15, true, kInk}, Align::kRight);
  DrawText(context, first_tile.x - 14, middle + 16, line2, kLabelStyle, Align::kRight);
}

}  // namespace

Page DrawFeatures(const DemoData& data) {
  const double scale = ScaleToFit(data.photograph.width, data.photograph.height, kTileRoom, kTileRoom);
  Grid grid{{}, data.photograph.width * scale, data.photograph.height * scale};
  const int rows = 1 + kScaleCount;
  const std::string caption = fmt::format(kCaption, kFeatureChannels, data.features.shape[3], data.features.shape[2],
                                          kFeatureStride, kFeatureStride, kOrientations);
  Page page("What is pooled: colours and edges", caption, kRowLabel + kOrientations * grid.ColumnWidth() - kGap,
            rows * (grid.tile_height + kColumnLabel + kGap) - kGap);
  grid.content = page.content();
  cairo_t* context = page.context();
  DrawRowLabel(context, grid.Tile(0, 0), "colour", "");
  for (int c = 0; c < kColourChannels; ++c) {
    DrawTile(context, grid.Tile(c, 0), ChannelRaster(data.features, c, 1.0f, kShades[c]), FeatureName(c));
  }
  for (int s = 0; s < kScaleCount; ++s) {
    const int first_channel = kColourChannels + s * kOrientations;
    const float largest = AlmostLargest(data.features, first_channel, kOrientations);
    DrawRowLabel(context, grid.Tile(0, s + 1), "edges", fmt::format("blur {} px", kScales[s]));
    for (int o = 0; o < kOrientations; ++o) {
      const double degrees = 180.0 * o / kOrientations;
      DrawTile(context, grid.Tile(o, s + 1), ChannelRaster(data.features, first_channel + o, largest, kInferno),
               fmt::format("{}°", degrees));
      DrawDirection(context, grid.Tile(o, s + 1), degrees);
    }
  }
  return page;
}

}  // namespace roipool::cli
