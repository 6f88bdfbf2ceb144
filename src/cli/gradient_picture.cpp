#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "feature_map.h"
#include "pictures.h"

namespace roipool::cli {
namespace {

constexpr double kRoomWidth = 1040;
constexpr double kRoomHeight = 860;
constexpr double kBarGap = 24;
constexpr double kBarWidth = 22;
constexpr double kMinBarHeight = 340;  // The text beside it must fit.
constexpr double kBarText = 96;
constexpr Colour kMiddleGrey{0.3, 0.3, 0.3};  // What the photograph is about.

constexpr const char* kCaption =
    "The gradient of L = ½ Σ y² over the {} edge channels of {} boxes, summed over the channels. Max pooling sends it back to "
    "chosen pixels alone: {} of the map's {} pixels ({} x {} pixels of the photograph each) got some. Grey: none. Thin lines: "
    "the boxes.";

// The gradient summed over all channels, one number for each pixel of the feature map.
std::vector<float> SumOverChannels(const Array& gradient) {
  const size_t pixels = static_cast<size_t>(gradient.shape[2] * gradient.shape[3]);
  const auto* values = static_cast<const float*>(gradient.data.get());
  std::vector<float> sums(pixels);
  for (int64_t c = 0; c < gradient.shape[1]; ++c) {
    for (size_t p = 0; p < pixels; ++p) sums[p] += values[static_cast<size_t>(c) * pixels + p];
  }
  return sums;
}

// The scale is a square root: small gradients are many, and would all look black on a linear one.
double ScalePosition(double value, double largest) { return std::sqrt(std::max(value, 0.0) / largest); }

Raster GreyedPhotograph(const Photograph& photograph) {
  Raster raster{photograph.width, photograph.height, {}};
  raster.pixels.reserve(static_cast<size_t>(raster.width) * raster.height);
  for (int y = 0; y < photograph.height; ++y) {
    for (int x = 0; x < photograph.width; ++x) {
      const double grey = 0.06 + 0.5 * photograph.Luma(x, y);
      raster.pixels.push_back(ToPixel({grey, grey, grey}));
    }
  }
  return raster;
}

// How a gradient looks on the greyed photograph: the smaller, the more of the photograph shines through.
struct HeatColour {
  Colour colour;
  double opacity = 0;
};

HeatColour ColourOfHeat(double position) {
  return {ColourAt(kInferno, 0.25 + 0.75 * position), std::min(1.0, 0.06 + 1.7 * position)};
}

uint32_t ToTransparentPixel(const HeatColour& heat) {
  const uint32_t premultiplied = ToPixel(Blend({0, 0, 0}, heat.colour, heat.opacity)) & 0x00ffffffu;
  return premultiplied | static_cast<uint32_t>(std::lround(heat.opacity * 255)) << 24;
}

// Transparent where no gradient landed.
Raster HeatRaster(const Array& gradient, const std::vector<float>& sums, double largest) {
  Raster raster{static_cast<int>(gradient.shape[3]), static_cast<int>(gradient.shape[2]), {}};
  raster.pixels.reserve(sums.size());
  for (float sum : sums) raster.pixels.push_back(sum == 0 ? 0 : ToTransparentPixel(ColourOfHeat(ScalePosition(sum, largest))));
  return raster;
}

// A step of 1, 2 or 5 times a power of ten that makes about four steps up to `largest`.
double TickStep(double largest) {
  const double power = std::pow(10, std::floor(std::log10(largest / 4)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (largest / (factor * power) <= 5) return factor * power;
  }
  return 10 * power;
}

void DrawColourBar(cairo_t* context, const Rectangle& bar, double largest) {
  for (int i = 0; i < static_cast<int>(bar.height); ++i) {
    const HeatColour heat = ColourOfHeat(1 - i / bar.height);
    const Colour colour = Blend(kMiddleGrey, heat.colour, heat.opacity);
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue);
    cairo_rectangle(context, bar.x, bar.y + i, bar.width, 1.5);
    cairo_fill(context);
  }
  const double step = TickStep(largest);
  for (int i = 0; i * step <= largest; ++i) {
    const double value = i * step;
    const double y = bar.y + bar.height * (1 - ScalePosition(value, largest));
    cairo_set_source_rgb(context, kInk.red, kInk.green, kInk.blue);
    cairo_rectangle(context, bar.x + bar.width, std::round(y) - 0.5, 6, 1);
    cairo_fill(context);
    DrawText(context, bar.x + bar.width + 11, y + 5, fmt::format("{:.4g}", value), {14, false, kInk});
  }
  cairo_save(context);
  cairo_translate(context, bar.x + bar.width + kBarText - 22, bar.y + bar.height / 2);
  cairo_rotate(context, -std::acos(0.0));
  DrawText(context, 0, 0, "gradient per map pixel, square-root scale", {15, false, kInk}, Align::kCentre);
  cairo_restore(context);
}

void DrawThinOutlines(cairo_t* context, const std::vector<Box>& boxes, const Rectangle& place, double scale) {
  cairo_set_source_rgba(context, 1, 1, 1, 0.4);
  cairo_set_line_width(context, 1);
  for (const Box& box : boxes) {
    const Rectangle r = PlaceBox(box, place, scale);
    cairo_rectangle(context, r.x, r.y, r.width, r.height);
    cairo_stroke(context);
  }
}

}  // namespace

Page DrawGradient(const DemoData& data) {
  const Photograph& photograph = data.photograph;
  const double scale = ScaleToFit(photograph.width, photograph.height, kRoomWidth, kRoomHeight);
  const std::vector<float> sums = SumOverChannels(data.grad_input);
  const double largest = std::max(*std::max_element(sums.begin(), sums.end()), 1e-30f);
  const auto reached = std::count_if(sums.begin(), sums.end(), [](float sum) { return sum != 0; });
  const std::string caption = fmt::format(kCaption, kFeatureChannels - kColourChannels, data.boxes.size(), reached, sums.size(),
                                          kFeatureStride, kFeatureStride);
  const double width = photograph.width * scale;
  Page page("Where the gradient landed", caption, width + kBarGap + kBarWidth + kBarText,
            std::max(photograph.height * scale, kMinBarHeight));
  cairo_t* context = page.context();
  const Rectangle content = page.content();
  const Rectangle place{content.x, content.y, width, photograph.height * scale};
  DrawRaster(context, GreyedPhotograph(photograph), place, place, Scaling::kSmooth);
  const Raster heat = HeatRaster(data.grad_input, sums, largest);
  // The map's last pixels may reach beyond the photograph.
  const Rectangle map_place{place.x, place.y, heat.width * kFeatureStride * scale, heat.height * kFeatureStride * scale};
  DrawRaster(context, heat, map_place, place, Scaling::kSquarePixels);
  DrawThinOutlines(context, data.boxes, place, scale);
  DrawColourBar(context, {place.x + place.width + kBarGap, place.y, kBarWidth, content.height}, largest);
  return page;
}

}  // namespace roipool::cli
