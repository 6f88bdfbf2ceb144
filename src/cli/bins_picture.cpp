#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "feature_map.h"
#include "pictures.h"

namespace roipool::cli {
namespace {

constexpr double kPanelRoom = 560;
constexpr double kPanelGap = 32;
constexpr double kPanelTitle = 30;
constexpr double kMapMargin = 1.5;  // Pixels of the map shown around the box.
constexpr Colour kChosen{0.20, 0.90, 1.00};

constexpr const char* kCaption =
    "Box {} covers {:.4g} x {:.4g} pixels of the feature map, cut into {} x {} bins. A ring marks the pixel that is largest in "
    "a bin (argmax), a line leads to it from the bin's middle; bins take in every pixel that they touch, so neighbours may "
    "choose the same one. Only these pixels receive the box's gradient in this channel.";

// A box in whole pixels of the map, as Geometry::kTorchvision cuts it out: rounded corners, the last pixel included.
struct MapBox {
  double x = 0;
  double y = 0;
  double width = 1;
  double height = 1;
};

MapBox ToMapBox(const Box& box) {
  const auto round = [](float pixel) { return std::round(static_cast<double>(pixel) / kFeatureStride); };
  const double x = round(box.x1);
  const double y = round(box.y1);
  return {x, y, std::max(round(box.x2) - x + 1, 1.0), std::max(round(box.y2) - y + 1, 1.0)};
}

// What of the map is shown, in its pixels.
struct Window {
  double left = 0;
  double top = 0;
  double width = 1;
  double height = 1;
};

// Takes `length` from `begin` on to at least `shortest`, around its middle.
void Widen(double shortest, double* begin, double* length) {
  if (*length >= shortest) return;
  *begin -= (shortest - *length) / 2;
  *length = shortest;
}

// What lies on the map of the box, and a little around it; no side is much longer than the other.
Window ChooseWindow(const MapBox& box, const Array& features) {
  const double right = std::min(box.x + box.width, static_cast<double>(features.shape[3])) + kMapMargin;
  const double bottom = std::min(box.y + box.height, static_cast<double>(features.shape[2])) + kMapMargin;
  Window window{std::max(box.x, 0.0) - kMapMargin, std::max(box.y, 0.0) - kMapMargin, 0, 0};
  window.width = right - window.left;
  window.height = bottom - window.top;
  Widen(std::max(window.height / 2, 1.0), &window.left, &window.width);
  Widen(std::max(window.width / 2, 1.0), &window.top, &window.height);
  return window;
}

// Where things in pixels of the map lie on one panel of the page.
struct Panel {
  Rectangle place;
  Window window;
  double scale = 1;  ///< Pixels of the page for one of the map.

  double X(double map_x) const { return place.x + Near((map_x - window.left) * scale); }
  double Y(double map_y) const { return place.y + Near((map_y - window.top) * scale); }
  Rectangle Place(double width, double height) const { return {X(0), Y(0), width * scale, height * scale}; }

 private:
  // Boxes may reach farther beyond the map than cairo can count.
  static double Near(double offset) { return std::clamp(offset, -1e6, 1e6); }
};

// Thinner lines for bins that are small on the page.
double LineFactor(const Panel& panel, const MapBox& box, int64_t bins_x, int64_t bins_y) {
  const double bin_side = std::min(box.width / static_cast<double>(bins_x), box.height / static_cast<double>(bins_y));
  return std::clamp(bin_side * panel.scale / 24, 0.2, 1.0);
}

void DrawGrid(cairo_t* context, const Panel& panel, const MapBox& box, int64_t bins_x, int64_t bins_y) {
  const double line_factor = LineFactor(panel, box, bins_x, bins_y);
  for (int pass = 0; pass < 2; ++pass) {
    cairo_set_source_rgba(context, pass, pass, pass, pass == 0 ? 0.5 : 0.85);
    cairo_set_line_width(context, line_factor * (pass == 0 ? 3 : 1.2));
    for (int64_t i = 0; i <= bins_x; ++i) {
      const double x = panel.X(box.x + box.width * static_cast<double>(i) / static_cast<double>(bins_x));
      cairo_move_to(context, x, panel.Y(box.y));
      cairo_line_to(context, x, panel.Y(box.y + box.height));
    }
    for (int64_t i = 0; i <= bins_y; ++i) {
      const double y = panel.Y(box.y + box.height * static_cast<double>(i) / static_cast<double>(bins_y));
      cairo_move_to(context, panel.X(box.x), y);
      cairo_line_to(context, panel.X(box.x + box.width), y);
    }
    cairo_stroke(context);
  }
}

struct Point {
  double x = 0;
  double y = 0;
};

// Of cell number `index` in rows of `row_length` cells of size 1.
Point MiddleOfCell(int64_t index, int64_t row_length) {
  const int64_t row = index / row_length;
  const int64_t column = index % row_length;
  return {static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5};
}

// A ring around the chosen pixel of each bin, and a line to it from the bin's middle.
void DrawChoices(cairo_t* context, const Panel& panel, const MapBox& box, const DemoData& data) {
  const int64_t bins_y = data.argmax.shape[2];
  const int64_t bins_x = data.argmax.shape[3];
  const int64_t map_width = data.features.shape[3];
  const auto* chosen = static_cast<const int32_t*>(data.argmax.data.get()) +
                       (data.shown_box * data.argmax.shape[1] + data.shown_channel) * bins_y * bins_x;
  const double line_factor = LineFactor(panel, box, bins_x, bins_y);
  const double radius = std::clamp(panel.scale * 0.38, 3.0, 9.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int64_t bin = 0; bin < bins_y * bins_x; ++bin) {
      if (chosen[bin] < 0) continue;
      const Point pixel = MiddleOfCell(chosen[bin], map_width);
      const double x = panel.X(pixel.x);
      const double y = panel.Y(pixel.y);
      const Point middle = MiddleOfCell(bin, bins_x);
      cairo_move_to(context, panel.X(box.x + box.width * middle.x / static_cast<double>(bins_x)),
                    panel.Y(box.y + box.height * middle.y / static_cast<double>(bins_y)));
      cairo_line_to(context, x, y);
      cairo_new_sub_path(context);
      cairo_arc(context, x, y, radius, 0, 2 * std::numbers::pi);
    }
    if (pass == 0) cairo_set_source_rgba(context, 0, 0, 0, 0.7);
    if (pass == 1) cairo_set_source_rgb(context, kChosen.red, kChosen.green, kChosen.blue);
    cairo_set_line_width(context, line_factor * (pass == 0 ? 4.5 : 2.2));
    cairo_stroke(context);
  }
}

// The shown channel; what is largest in the window gets the last colour.
Raster ShownChannel(const DemoData& data, const Window& window) {
  Raster raster{static_cast<int>(data.features.shape[3]), static_cast<int>(data.features.shape[2]), {}};
  const size_t pixels = static_cast<size_t>(raster.width) * raster.height;
  const float* values = static_cast<const float*>(data.features.data.get()) + data.shown_channel * pixels;
  float largest = 1e-6f;
  for (int y = std::max(0, static_cast<int>(window.top)); y < std::min<double>(raster.height, window.top + window.height);
       ++y) {
    for (int x = std::max(0, static_cast<int>(window.left)); x < std::min<double>(raster.width, window.left + window.width);
         ++x) {
      largest = std::max(largest, values[static_cast<size_t>(y) * raster.width + x]);
    }
  }
  for (size_t p = 0; p < pixels; ++p) raster.pixels.push_back(ToPixel(ColourAt(kInferno, std::sqrt(values[p] / largest))));
  return raster;
}

void DrawPanel(cairo_t* context, const Panel& panel, const MapBox& box, const DemoData& data, const std::string& title,
               const Raster& raster, const Rectangle& raster_place, Scaling scaling) {
  DrawText(context, panel.place.x, panel.place.y - 11, title, {16, true, kInk});
  cairo_set_source_rgb(context, 0.93, 0.93, 0.93);
  cairo_rectangle(context, panel.place.x, panel.place.y, panel.place.width, panel.place.height);
  cairo_fill(context);
  cairo_save(context);
  cairo_rectangle(context, panel.place.x, panel.place.y, panel.place.width, panel.place.height);
  cairo_clip(context);
  DrawRaster(context, raster, raster_place, panel.place, scaling);
  DrawGrid(context, panel, box, data.argmax.shape[3], data.argmax.shape[2]);
  DrawChoices(context, panel, box, data);
  cairo_restore(context);
}

}  // namespace

Page DrawBins(const DemoData& data) {
  const MapBox box = ToMapBox(data.boxes[static_cast<size_t>(data.shown_box)]);
  const Window window = ChooseWindow(box, data.features);
  const double scale = ScaleToFit(window.width, window.height, kPanelRoom, kPanelRoom);
  const double width = window.width * scale;
  const double height = window.height * scale;
  const int box_number = data.shown_box + 1;
  Page page(fmt::format("What box {} keeps of {}", box_number, FeatureName(data.shown_channel)),
            fmt::format(kCaption, box_number, box.width, box.height, data.argmax.shape[2], data.argmax.shape[3]),
            2 * width + kPanelGap, kPanelTitle + height);
  const Rectangle content = page.content();
  Panel panel{{content.x, content.y + kPanelTitle, width, height}, window, scale};
  const Rectangle photograph_place = panel.Place(static_cast<double>(data.photograph.width) / kFeatureStride,
                                                 static_cast<double>(data.photograph.height) / kFeatureStride);
  DrawPanel(page.context(), panel, box, data, "in the photograph", ToRaster(data.photograph), photograph_place,
            Scaling::kSmooth);
  panel.place.x += width + kPanelGap;
  const Rectangle map_place =
      panel.Place(static_cast<double>(data.features.shape[3]), static_cast<double>(data.features.shape[2]));
  DrawPanel(page.context(), panel, box, data, "in the feature map", ShownChannel(data, window), map_place,
            Scaling::kSquarePixels);
  return page;
}

}  // namespace roipool::cli
