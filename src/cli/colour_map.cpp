#include "colour_map.h"

#include <algorithm>
#include <cmath>

namespace roipool::cli {
namespace {

constexpr Colour kInfernoSamples[] = {
    {0.001, 0.000, 0.014}, {0.042, 0.028, 0.141}, {0.128, 0.047, 0.290}, {0.237, 0.037, 0.396}, {0.340, 0.062, 0.429},
    {0.439, 0.099, 0.432}, {0.539, 0.134, 0.416}, {0.637, 0.170, 0.382}, {0.733, 0.214, 0.332}, {0.820, 0.273, 0.269},
    {0.892, 0.350, 0.197}, {0.945, 0.445, 0.119}, {0.977, 0.553, 0.038}, {0.988, 0.669, 0.060}, {0.976, 0.791, 0.197},
    {0.949, 0.911, 0.396}, {0.988, 0.998, 0.645},
};

constexpr Colour kViridisSamples[] = {
    {0.267, 0.005, 0.329}, {0.282, 0.095, 0.417}, {0.279, 0.175, 0.483}, {0.259, 0.251, 0.524}, {0.230, 0.321, 0.545},
    {0.200, 0.386, 0.555}, {0.173, 0.447, 0.558}, {0.150, 0.506, 0.557}, {0.128, 0.565, 0.551}, {0.120, 0.624, 0.534},
    {0.155, 0.682, 0.503}, {0.241, 0.737, 0.455}, {0.363, 0.787, 0.387}, {0.508, 0.829, 0.299}, {0.669, 0.862, 0.195},
    {0.836, 0.886, 0.102}, {0.993, 0.906, 0.144},
};

}  // namespace

const ColourMap kInferno(kInfernoSamples);
const ColourMap kViridis(kViridisSamples);

Colour Blend(Colour below, Colour above, double share) {
  const auto mix = [share](double from, double to) { return (1 - share) * from + share * to; };
  return {mix(below.red, above.red), mix(below.green, above.green), mix(below.blue, above.blue)};
}

Colour ColourAt(ColourMap map, double position) {
  const double scaled = std::clamp(position, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const size_t below = std::min(static_cast<size_t>(scaled), map.size() - 2);
  return Blend(map[below], map[below + 1], scaled - static_cast<double>(below));
}

uint32_t ToPixel(Colour colour) {
  const auto byte = [](double value) { return static_cast<uint32_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255)); };
  return 0xff000000u | byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

}  // namespace roipool::cli
