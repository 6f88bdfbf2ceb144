// Where the bins of a box begin and end on the map.
#ifndef ROIPOOL_GENERATORS_BIN_EDGES_H_
#define ROIPOOL_GENERATORS_BIN_EDGES_H_

#include <functional>

#include "Halide.h"

namespace roipool::generators {

/// How numbers of float32 are computed with.
struct SingleArithmetic {
  Halide::Type type;                                         ///< What they are held in.
  std::function<Halide::Expr(const Halide::Expr&)> rounded;  ///< The float32 nearest to a result, half to even, as `type`.
};

/// A CPU's own. The target must have strict_float, else contracted operations move edges from one ISA to another.
SingleArithmetic NativeSingle();

/// In float64, each result rounded by integer operations: the same bits on every device, whatever it contracts, flushes to zero
/// or approximates in float32. A float64 has more than twice the digits, so that rounding twice does no harm.
SingleArithmetic RoundedDouble();

/// One axis of a box and of the map.
struct BoxAxis {
  Halide::Expr corner_begin, corner_end;  ///< float32 as SingleArithmetic::type, and finite; in image coordinates.
  Halide::Expr scale;                     ///< Likewise.
  Halide::Expr rounds_corners;            ///< Whether Geometry::kTorchvision holds rather than kAclnn.
  Halide::Expr bins, size;                ///< Along this axis: of the box, and pixels of the map.
};

struct BinEdges {
  Halide::Expr begin, end;  ///< int32, clipped to [0, size]; a bin whose begin is not below its end is empty.
};

/// The edges of bin `bin`, following roipool/options.h in float32.
BinEdges EdgesOf(const Halide::Expr& bin, const BoxAxis& axis, const SingleArithmetic& single);

}  // namespace roipool::generators

#endif  // ROIPOOL_GENERATORS_BIN_EDGES_H_
