// Where the bins of a box begin and end on the map.
#ifndef ROIPOOL_GENERATORS_BIN_EDGES_H_
#define ROIPOOL_GENERATORS_BIN_EDGES_H_

#include "Halide.h"

namespace roipool::generators {

/// One axis of a box and of the map.
struct BoxAxis {
  Halide::Expr corner_begin, corner_end;  ///< float32 and finite, in image coordinates.
  Halide::Expr scale;                     ///< float32
  Halide::Expr rounds_corners;            ///< Whether Geometry::kTorchvision holds rather than kAclnn.
  Halide::Expr bins, size;                ///< Along this axis: of the box, and pixels of the map.
};

struct BinEdges {
  Halide::Expr begin, end;  ///< int32, clipped to [0, size]; a bin whose begin is not below its end is empty.
};

/// The edges of bin `bin`, following roipool/options.h in float32. The target must have strict_float, else contracted
/// operations move edges from one ISA to another.
BinEdges EdgesOf(const Halide::Expr& bin, const BoxAxis& axis);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_BIN_EDGES_H_
