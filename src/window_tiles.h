// Which pixels of a map any window reads, in tiles: the others need no copy.
#ifndef ROIPOOL_SRC_WINDOW_TILES_H_
#define ROIPOOL_SRC_WINDOW_TILES_H_

#include <cstdint>

namespace roipool::internal {

/// The map as tiles see it. A tile is kChannelVector pixels of one row, or all of a shorter one. Where rows follow each other,
/// they are one row to tiles.
struct TiledMap {
  int64_t height, width;
  bool is_one_row;

  int64_t row_pixels() const noexcept { return is_one_row ? height * width : width; }
  int64_t tile_count() const noexcept;
};

/// Edges of bins as roi_pool_edges computes them: (rois, 2, bins of the axis), in pixels from the map's end.
struct PoolEdges {
  const int32_t* columns;
  const int32_t* rows;
  int64_t pooled_w, pooled_h;
};

/// Lists in tiles[] the first pixel, as h * width + w, of each tile that a window of `count` rois reads, in ascending order.
/// Returns how many there are, at most tile_count(). The last tile of a row ends with it and may overlap the one before, so
/// that two tasks may copy the same pixels to the same place: the same bytes.
int64_t ListTiles(const TiledMap& map, const PoolEdges& edges, const int32_t* rois, int64_t count, int32_t* tiles) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_WINDOW_TILES_H_
