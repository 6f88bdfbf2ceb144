// Transposition of tiles of vectors.
#ifndef ROIPOOL_GENERATORS_TILE_TRANSPOSE_H_
#define ROIPOOL_GENERATORS_TILE_TRANSPOSE_H_

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace roipool::generators {

/// A tile has a power of two of rows, each a vector of kChannelVector elements. Transposing it rotates the bits of its
/// elements' flat indices by as many as number the rows, and a perfect shuffle rotates them by one: element 2i comes from i,
/// element 2i + 1 from half a tile behind. So each step reads two vectors and interleaves them.
class TileTranspose {
 public:
  using Tile = std::vector<Halide::Expr>;  ///< Coordinates of one tile among others.

  TileTranspose() = default;
  /// `element(row, column, tile)` gives what is transposed; a tile has `coordinates` coordinates; names of Funcs begin with
  /// `name`.
  TileTranspose(
      const std::string& name, int rows, int coordinates,
      const std::function<Halide::Expr(const Halide::Expr& row, const Halide::Expr& column, const Tile& tile)>& element);

  /// Element (row, column) of what is transposed, read where it is afterwards.
  Halide::Expr operator()(const Halide::Expr& row, const Halide::Expr& column, const Tile& tile) const;

  /// Every step in vectors, on the stack, within a loop of the consumer's that holds one tile.
  void ComputeAt(const Halide::Func& consumer, const Halide::VarOrRVar& loop);

 private:
  int rows_ = 0;
  std::vector<Halide::Func> steps_;  // (element, coordinates of the tile)
  Halide::Var element_{"element"};
  std::vector<Halide::Var> tile_;
};

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_TILE_TRANSPOSE_H_
