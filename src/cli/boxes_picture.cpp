#include <fmt/format.h>

#include "pictures.h"

namespace roipool::cli {
namespace {

constexpr double kRoomWidth = 1100;
constexpr double kRoomHeight = 860;

}  // namespace

Page DrawBoxes(const DemoData& data) {
  const Photograph& photograph = data.photograph;
  const double scale = ScaleToFit(photograph.width, photograph.height, kRoomWidth, kRoomHeight);
  const std::string caption =
      fmt::format("{}, {} x {} pixels. Boxes {}; lighter is earlier in the list. The red one is enlarged in bins.png.",
                  data.picture_name, photograph.width, photograph.height, data.boxes_origin);
  Page page(fmt::format("{} boxes to pool", data.boxes.size()), caption, photograph.width * scale, photograph.height * scale);
  cairo_t* context = page.context();
  const Rectangle place = page.content();
  DrawRaster(context, ToRaster(photograph), place, place, Scaling::kSmooth);
  // From the last to the first, so that the first lie on top.
  const size_t count = data.boxes.size();
  for (size_t i = count; i-- > 0;) {
    const double rank = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
    DrawOutline(context, PlaceBox(data.boxes[i], place, scale), ColourAt(kViridis, 1 - 0.75 * rank), 2);
  }
  const Rectangle shown = PlaceBox(data.boxes[static_cast<size_t>(data.shown_box)], place, scale);
  DrawOutline(context, shown, kAccent, 4);
  DrawLabel(context, shown.x, shown.y - 4, fmt::format("box {}", data.shown_box + 1), place);
  return page;
}

}  // namespace roipool::cli
