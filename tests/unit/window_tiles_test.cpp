// Which tiles of a map are listed for the windows that read them.
#include "window_tiles.h"

#include <gmock/gmock.h>

#include <vector>

namespace roipool::internal {
namespace {

// Boxes of one bin each, from their pixels [begin, end) along both axes.
struct Boxes {
  /// A map of (height, width, is_one_row).
  explicit Boxes(const TiledMap& boxes_map) : map(boxes_map) {}

  Boxes& Add(int64_t w_begin, int64_t w_end, int64_t h_begin, int64_t h_end) {
    rois.push_back(static_cast<int32_t>(rois.size()));
    for (const int64_t edge : {map.width - w_end, map.width - w_begin}) columns.push_back(static_cast<int32_t>(edge));
    for (const int64_t edge : {map.height - h_end, map.height - h_begin}) rows.push_back(static_cast<int32_t>(edge));
    return *this;
  }

  std::vector<int32_t> Tiles() const {
    std::vector<int32_t> tiles(static_cast<size_t>(map.tile_count()), -7);
    const int64_t count =
        ListTiles(map, {columns.data(), rows.data(), 1, 1}, rois.data(), static_cast<int64_t>(rois.size()), tiles.data());
    tiles.resize(static_cast<size_t>(count));
    return tiles;
  }

  TiledMap map;
  std::vector<int32_t> rois, columns, rows;
};

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WindowTiles, OnlyWhatWindowsRead) {
  Boxes boxes({4, 40, false});
  EXPECT_THAT(boxes.Tiles(), IsEmpty());
  EXPECT_THAT(boxes.Add(0, 16, 1, 3).Tiles(), ElementsAre(40, 80));
  EXPECT_THAT(boxes.Add(15, 17, 2, 3).Tiles(), ElementsAre(40, 80, 96));
  EXPECT_THAT(boxes.Add(5, 5, 0, 4).Add(0, 40, 2, 2).Tiles(), ElementsAre(40, 80, 96)) << "an empty window reads nothing";
}

TEST(WindowTiles, TheLastTileOfARowMovesBackToFit) {
  Boxes boxes({2, 40, false});
  EXPECT_THAT(boxes.Add(39, 40, 0, 2).Tiles(), ElementsAre(24, 64));
}

TEST(WindowTiles, RowsThatFollowEachOtherAreOne) {
  Boxes boxes({5, 7, true});
  EXPECT_EQ(boxes.map.tile_count(), 3);
  EXPECT_THAT(boxes.Add(3, 4, 2, 3).Tiles(), ElementsAre(16)) << "pixel 17";
  EXPECT_THAT(boxes.Add(0, 7, 4, 5).Tiles(), ElementsAre(16, 19)) << "pixels 28 to 34";
}

TEST(WindowTiles, ShortRowsAreTiles) {
  Boxes boxes({3, 7, false});
  EXPECT_THAT(boxes.Add(6, 7, 1, 3).Tiles(), ElementsAre(7, 14));
  Boxes tiny({3, 4, true});
  EXPECT_THAT(tiny.Add(0, 1, 2, 3).Tiles(), ElementsAre(0));
}

TEST(WindowTiles, AMapWithoutPixelsHasNone) {
  for (const auto& [height, width] : {std::pair(0, 5), std::pair(5, 0), std::pair(0, 0)}) {
    for (const bool is_one_row : {false, true}) {
      Boxes boxes({height, width, is_one_row});
      EXPECT_EQ(boxes.map.tile_count(), 0);
      EXPECT_THAT(boxes.Add(0, 0, 0, 0).Tiles(), IsEmpty());
    }
  }
}

}  // namespace
}  // namespace roipool::internal
