#include "window_tiles.h"

#include <algorithm>

#include "kernel_layout.h"

namespace roipool::internal {
namespace {

struct Span {
  int64_t begin, end;
};

// The pixels from the first to the last that bins of one box cover along an axis of `size` pixels; edges count from its end.
Span Covered(const int32_t* edges, int64_t bins, int64_t size) noexcept {
  const int32_t *behind = edges, *from_begin = edges + bins;
  Span span = {size, 0};
  for (int64_t bin = 0; bin < bins; ++bin) {
    if (behind[bin] >= from_begin[bin]) continue;
    span.begin = std::min(span.begin, size - from_begin[bin]);
    span.end = std::max(span.end, size - behind[bin]);
  }
  return span;
}

int64_t TilesPerRow(const TiledMap& map) noexcept { return (map.row_pixels() + kChannelVector - 1) / kChannelVector; }

}  // namespace

int64_t TiledMap::tile_count() const noexcept { return TilesPerRow(*this) * (is_one_row ? 1 : height); }

int64_t ListTiles(const TiledMap& map, const PoolEdges& edges, const int32_t* rois, int64_t count, int32_t* tiles) noexcept {
  if (count == 0) return 0;
  const int64_t tile_count = map.tile_count(), per_row = TilesPerRow(map);
  std::fill_n(tiles, tile_count, 0);
  for (int64_t i = 0; i < count; ++i) {
    const Span w = Covered(edges.columns + int64_t{2} * rois[i] * edges.pooled_w, edges.pooled_w, map.width);
    const Span h = Covered(edges.rows + int64_t{2} * rois[i] * edges.pooled_h, edges.pooled_h, map.height);
    if (w.begin >= w.end) continue;
    for (int64_t row = h.begin; row < h.end; ++row) {
      const int64_t before = map.is_one_row ? row * map.width : 0;
      int32_t* of_row = tiles + (map.is_one_row ? 0 : row * per_row);
      const int64_t first = (before + w.begin) / kChannelVector, last = (before + w.end - 1) / kChannelVector;
      std::fill(of_row + first, of_row + last + 1, 1);
    }
  }
  // The last tile of a row moves back to fit.
  const int64_t last_begin = std::max<int64_t>(map.row_pixels() - kChannelVector, 0);
  int64_t listed = 0;
  for (int64_t tile = 0; tile < tile_count; ++tile) {
    if (tiles[tile] == 0) continue;
    const int64_t begin = std::min(tile % per_row * kChannelVector, last_begin);
    tiles[listed++] = static_cast<int32_t>(tile / per_row * map.row_pixels() + begin);
  }
  return listed;
}

}  // namespace roipool::internal
