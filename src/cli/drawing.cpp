#include "drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "user_error.h"

namespace roipool::cli {
namespace {

constexpr double kMargin = 36;
constexpr double kMinTextWidth = 520;
constexpr double kLineSpacing = 1.45;
constexpr TextStyle kTitleStyle{26, true, kInk};
constexpr TextStyle kCaptionStyle{16, false, kGreyInk};

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

void SetColour(cairo_t* context, Colour colour) { cairo_set_source_rgb(context, colour.red, colour.green, colour.blue); }

void SetFont(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size);
}

std::vector<std::string> WrapText(cairo_t* context, const std::string& text, const TextStyle& style, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && TextWidth(context, lines.back() + " " + word, style) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

double TextHeight(const std::vector<std::string>& lines, const TextStyle& style) {
  return static_cast<double>(lines.size()) * style.size * kLineSpacing;
}

void DrawLines(cairo_t* context, double x, double y, const std::vector<std::string>& lines, const TextStyle& style) {
  for (const std::string& line : lines) {
    DrawText(context, x, y + style.size, line, style);
    y += style.size * kLineSpacing;
  }
}

void AddRectangle(cairo_t* context, const Rectangle& r) { cairo_rectangle(context, r.x, r.y, r.width, r.height); }

}  // namespace

Page::Page(const std::string& title, const std::string& caption, double content_width, double content_height) {
  const Surface scratch(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> measuring(cairo_create(scratch.get()), cairo_destroy);
  const double text_width = std::max(content_width, kMinTextWidth);
  const auto title_lines = WrapText(measuring.get(), title, kTitleStyle, text_width);
  const auto caption_lines = WrapText(measuring.get(), caption, kCaptionStyle, text_width);
  content_ = {kMargin, kMargin + TextHeight(title_lines, kTitleStyle) + 10, content_width, content_height};
  const double caption_top = content_.y + content_height + 18;
  const double page_height = caption_top + TextHeight(caption_lines, kCaptionStyle) + kMargin - 8;
  surface_.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(text_width + 2 * kMargin)),
                                            static_cast<int>(std::ceil(page_height))));
  context_.reset(cairo_create(surface_.get()));
  if (cairo_status(context()) != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(cairo_status_to_string(cairo_status(context())));
  cairo_set_source_rgb(context(), 1, 1, 1);
  cairo_paint(context());
  DrawLines(context(), content_.x, kMargin - 6, title_lines, kTitleStyle);
  DrawLines(context(), content_.x, caption_top, caption_lines, kCaptionStyle);
}

void Page::Save(const OutputFile& file) const {
  cairo_surface_flush(surface_.get());
  const cairo_status_t status = cairo_surface_write_to_png(surface_.get(), file.temporary_path().c_str());
  if (status != CAIRO_STATUS_SUCCESS) {
    throw UserError(fmt::format("cannot write '{}': {}", file.shown_path(), cairo_status_to_string(status)));
  }
}

double ScaleToFit(double width, double height, double room_width, double room_height) {
  return std::min(room_width / width, room_height / height);
}

double TextWidth(cairo_t* context, const std::string& text, const TextStyle& style) {
  SetFont(context, style);
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

void DrawText(cairo_t* context, double x, double y, const std::string& text, const TextStyle& style, Align align) {
  const double width = TextWidth(context, text, style);
  SetColour(context, style.colour);
  cairo_move_to(context, x - (align == Align::kLeft ? 0 : align == Align::kRight ? width : width / 2), y);
  cairo_show_text(context, text.c_str());
}

void DrawLabel(cairo_t* context, double x, double y, const std::string& text, const Rectangle& bounds) {
  constexpr TextStyle kStyle{15, true, {1, 1, 1}};
  constexpr double kPadding = 7;
  Rectangle plate{x, y - kStyle.size - 10, TextWidth(context, text, kStyle) + 2 * kPadding, kStyle.size + 10};
  plate.x = std::clamp(plate.x, bounds.x, std::max(bounds.x, bounds.x + bounds.width - plate.width));
  plate.y = std::clamp(plate.y, bounds.y, std::max(bounds.y, bounds.y + bounds.height - plate.height));
  AddRectangle(context, plate);
  cairo_set_source_rgba(context, kInk.red, kInk.green, kInk.blue, 0.92);
  cairo_fill(context);
  DrawText(context, plate.x + kPadding, plate.y + plate.height - 8, text, kStyle);
}

void DrawRaster(cairo_t* context, const Raster& raster, const Rectangle& place, const Rectangle& clip, Scaling scaling) {
  // Cairo only reads from it, but its interface takes a pointer to what may be written.
  auto* data = reinterpret_cast<unsigned char*>(const_cast<uint32_t*>(raster.pixels.data()));
  const Surface surface(
      cairo_image_surface_create_for_data(data, CAIRO_FORMAT_ARGB32, raster.width, raster.height, raster.width * 4),
      cairo_surface_destroy);
  cairo_save(context);
  AddRectangle(context, clip);
  cairo_clip(context);
  cairo_translate(context, place.x, place.y);
  cairo_scale(context, place.width / raster.width, place.height / raster.height);
  cairo_set_source_surface(context, surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), scaling == Scaling::kSmooth ? CAIRO_FILTER_BEST : CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
  cairo_rectangle(context, 0, 0, raster.width, raster.height);
  cairo_fill(context);
  cairo_restore(context);
}

Raster ToRaster(const Photograph& photograph) {
  Raster raster{photograph.width, photograph.height, {}};
  raster.pixels.reserve(static_cast<size_t>(raster.width) * raster.height);
  for (size_t i = 0; i < photograph.rgb.size(); i += 3) {
    raster.pixels.push_back(0xff000000u | uint32_t{photograph.rgb[i]} << 16 | uint32_t{photograph.rgb[i + 1]} << 8 |
                            photograph.rgb[i + 2]);
  }
  return raster;
}

void DrawOutline(cairo_t* context, const Rectangle& rectangle, Colour colour, double line_width) {
  cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER);
  AddRectangle(context, rectangle);
  cairo_set_source_rgba(context, 0, 0, 0, 0.55);
  cairo_set_line_width(context, line_width + 2);
  cairo_stroke_preserve(context);
  SetColour(context, colour);
  cairo_set_line_width(context, line_width);
  cairo_stroke(context);
}

Rectangle PlaceBox(const Box& box, const Rectangle& place, double scale) {
  const double left = std::clamp(place.x + box.x1 * scale, place.x, place.x + place.width);
  const double top = std::clamp(place.y + box.y1 * scale, place.y, place.y + place.height);
  const double right = std::clamp(place.x + (box.x2 + 1.0) * scale, place.x, place.x + place.width);
  const double bottom = std::clamp(place.y + (box.y2 + 1.0) * scale, place.y, place.y + place.height);
  return {left, top, right - left, bottom - top};
}

}  // namespace roipool::cli
