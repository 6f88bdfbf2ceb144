#include "tile_transpose.h"

#include "kernel_layout.h"

namespace roipool::generators {

TileTranspose::TileTranspose(
    const std::string& name, int rows, int coordinates,
    const std::function<Halide::Expr(const Halide::Expr& row, const Halide::Expr& column, const Tile& tile)>& element)
    : rows_(rows) {
  Tile tile;
  for (int coordinate = 0; coordinate < coordinates; ++coordinate) {
    tile_.emplace_back("tile" + std::to_string(coordinate));
    tile.emplace_back(tile_.back());
  }
  Tile place = tile;
  place.insert(place.begin(), element_);
  Halide::Func taken(name + "_taken");
  taken(place) = element(element_ / kChannelVector, element_ % kChannelVector, tile);
  steps_.push_back(taken);
  for (int left = rows; left > 1; left /= 2) {
    const Halide::Func& before = steps_.back();
    Tile low = place, high = place;
    low[0] = element_ / 2;
    high[0] = element_ / 2 + rows * kChannelVector / 2;
    Halide::Func shuffled(name + "_shuffled");
    shuffled(place) = select(element_ % 2 == 1, before(high), before(low));
    steps_.push_back(shuffled);
  }
}

Halide::Expr TileTranspose::operator()(const Halide::Expr& row, const Halide::Expr& column, const Tile& tile) const {
  Tile place = tile;
  place.insert(place.begin(), column * rows_ + row);
  return steps_.back()(place);
}

void TileTranspose::ComputeAt(const Halide::Func& consumer, const Halide::VarOrRVar& loop) {
  Halide::Var outer("outer"), inner("inner");
  for (Halide::Func& step : steps_) {
    // Bounds that are known let the tile be an array of the stack's frame rather than of the heap.
    step.compute_at(Halide::LoopLevel(consumer, loop))
        .store_in(Halide::MemoryType::Stack)
        .bound_extent(element_, rows_ * kChannelVector);
    for (const Halide::Var& coordinate : tile_) step.bound_extent(coordinate, 1);
    if (&step == &steps_.front()) {
      step.split(element_, outer, inner, kChannelVector).vectorize(inner).unroll(outer);
    } else {
      step.split(element_, outer, inner, 2).unroll(inner).vectorize(outer, kChannelVector).unroll(outer);
    }
  }
}

}  // namespace roipool::generators
