// What the demo's pictures have in common: a page with a title and a caption, text, rasters, a colour bar.
#ifndef ROIPOOL_CLI_DRAWING_H_
#define ROIPOOL_CLI_DRAWING_H_

#include <cairo.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "boxes.h"
#include "colour_map.h"
#include "output_file.h"
#include "photograph.h"

namespace roipool::cli {

constexpr Colour kInk{0.13, 0.14, 0.16};
constexpr Colour kGreyInk{0.38, 0.40, 0.43};
constexpr Colour kAccent{0.96, 0.30, 0.20};

/// Lengths on the page, in pixels.
struct Rectangle {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct TextStyle {
  double size = 15;
  bool bold = false;
  Colour colour = kInk;
};

enum class Align { kLeft, kCentre, kRight };

/// Pixels as cairo keeps them (premultiplied).
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<uint32_t> pixels;
};

enum class Scaling { kSmooth, kSquarePixels };

/// A white page: a title above the content, a caption below it.
class Page {
 public:
  /// The page is a little wider than the content; the content's place is content().
  Page(const std::string& title, const std::string& caption, double content_width, double content_height);

  cairo_t* context() const { return context_.get(); }
  const Rectangle& content() const { return content_; }
  /// Writes the page as PNG to the temporary file; the caller commits. Throws UserError.
  void Save(const OutputFile& file) const;

 private:
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_{nullptr, cairo_surface_destroy};
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context_{nullptr, cairo_destroy};
  Rectangle content_;
};

/// How many pixels of the page a picture of this size gets along each of its own pixels, so that it fills but does not burst
/// `room`.
double ScaleToFit(double width, double height, double room_width, double room_height);

double TextWidth(cairo_t* context, const std::string& text, const TextStyle& style);
/// One line, its baseline at y.
void DrawText(cairo_t* context, double x, double y, const std::string& text, const TextStyle& style,
              Align align = Align::kLeft);
/// White text on a dark plate whose lower left corner is at (x, y), kept inside `bounds`.
void DrawLabel(cairo_t* context, double x, double y, const std::string& text, const Rectangle& bounds);

/// Stretches the raster over the place; nothing is drawn outside `clip`.
void DrawRaster(cairo_t* context, const Raster& raster, const Rectangle& place, const Rectangle& clip, Scaling scaling);
Raster ToRaster(const Photograph& photograph);

/// The outline of a rectangle, with a dark seam on both sides that keeps it visible on every ground.
void DrawOutline(cairo_t* context, const Rectangle& rectangle, Colour colour, double line_width);

/// Where a box lies on the page if the photograph's corner is at `place`, cut to the photograph. The box's last pixels count
/// in.
Rectangle PlaceBox(const Box& box, const Rectangle& place, double scale);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_DRAWING_H_
