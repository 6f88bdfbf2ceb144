#include "roi_pool_algorithm.h"

#include <limits>

#include "kernel_layout.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::Type;

}  // namespace

PoolStages DefineRoiPool(const PoolInputs& inputs, Type type, bool transposes_tiles) {
  PoolStages stages;
  const auto& [bin, channel, roi] = std::tie(stages.bin, stages.channel, stages.roi);

  // Divided without signs, which costs less.
  const Expr unsigned_bin = cast<uint32_t>(bin), unsigned_pooled_w = cast<uint32_t>(inputs.pooled_w);
  const Expr pw = unsafe_promise_clamped(cast<int32_t>(unsigned_bin % unsigned_pooled_w), 0, inputs.pooled_w - 1);
  const Expr ph = unsafe_promise_clamped(cast<int32_t>(unsigned_bin / unsigned_pooled_w), 0, inputs.pooled_h - 1);

  RDom& window = stages.window = RDom(0, inputs.width, 0, inputs.height, "window");
  window.where(window.y >= inputs.rows(ph, 0, roi) && window.y < inputs.rows(ph, 1, roi));
  window.where(window.x >= inputs.columns(pw, 0, roi) && window.x < inputs.columns(pw, 1, roi));
  const Expr w = inputs.width - 1 - window.x, h = inputs.height - 1 - window.y;

  // NaN compares false and never wins; -inf equals the best of nothing and does. Not `<=`: it is compiled to a negated `<`,
  // which lets NaN win.
  const Type search_type = type.bits() == 64 ? type : Halide::Float(32);
  const Expr value = cast(search_type, inputs.x(channel, w, h));
  stages.best(channel, bin, roi) = Tuple(cast(search_type, -std::numeric_limits<float>::infinity()), Expr(-1));
  const Expr best_value = stages.best(channel, bin, roi)[0], best_pixel = stages.best(channel, bin, roi)[1];
  const Expr wins = best_value < value || best_value == value;
  stages.best(channel, bin, roi) = Tuple(select(wins, value, best_value), select(wins, h * inputs.width + w, best_pixel));

  stages.row(channel, bin, roi) = Tuple(cast(type, select(best_pixel < 0, cast(search_type, 0), best_value)), best_pixel);
  if (!transposes_tiles) {
    stages.pooled(bin, channel, roi) = stages.row(channel, bin, roi);
    return stages;
  }
  // The last tile of bins may not be full, and no window is searched for what is missing there.
  const Expr last_bin = inputs.pooled_h * inputs.pooled_w - 1;
  const auto tiles_of = [&](const std::string& name, int element) {
    return TileTranspose(name, kBinTile, 3,
                         [&](const Expr& tile_bin, const Expr& tile_channel, const TileTranspose::Tile& tile) {
                           const Expr of_row = min(tile[1] * kBinTile + tile_bin, last_bin);
                           return stages.row(tile[0] * kChannelVector + tile_channel, of_row, tile[2])[element];
                         });
  };
  stages.value_tiles = tiles_of("values", 0);
  stages.pixel_tiles = tiles_of("pixels", 1);
  const TileTranspose::Tile tile = {channel / kChannelVector, bin / kBinTile, roi};
  stages.pooled(bin, channel, roi) = Tuple(stages.value_tiles(bin % kBinTile, channel % kChannelVector, tile),
                                           stages.pixel_tiles(bin % kBinTile, channel % kChannelVector, tile));
  return stages;
}

}  // namespace roipool::generators
