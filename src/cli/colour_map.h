// Numbers as colours.
#ifndef ROIPOOL_CLI_COLOUR_MAP_H_
#define ROIPOOL_CLI_COLOUR_MAP_H_

#include <cstdint>
#include <span>

namespace roipool::cli {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

/// A perceptually uniform scale, sampled at equal steps from 0 to 1 (by N. Smith and S. van der Walt, CC0).
using ColourMap = std::span<const Colour>;
extern const ColourMap kInferno;
extern const ColourMap kViridis;

/// The colour at `position`, cut to [0, 1]; linear between the samples.
Colour ColourAt(ColourMap map, double position);

/// (1 - share) * below + share * above.
Colour Blend(Colour below, Colour above, double share);

/// As cairo's image formats keep it, opaque.
uint32_t ToPixel(Colour colour);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_COLOUR_MAP_H_
