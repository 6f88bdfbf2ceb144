#include "float_conversion.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

namespace roipool::fake_cuda {

double HalfToDouble(uint16_t h) {
  int e = (h >> 10) & 31, m = h & 1023;
  double v = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
  return h & 0x8000 ? -v : v;
}

uint16_t DoubleToHalf(double d) {
  if (std::isnan(d)) return 0x7fff;
  uint16_t sign = std::signbit(d) ? 0x8000 : 0;
  double m = std::fabs(d);
  if (m == 0) return sign;
  if (std::isinf(m)) return sign | 0x7c00;
  int e;
  std::frexp(m, &e);
  e = std::max(e - 1, -14);
  double r = std::fabs(std::rint(std::ldexp(d, 10 - e)));
  if (r >= 2048) {
    r = 1024;
    e++;
  }
  if (e > 15) {
    // Overflow: the rounding mode decides between infinity and the largest half.
    int mode = fegetround();
    bool inf = mode == FE_TONEAREST || (mode == FE_UPWARD && !sign) || (mode == FE_DOWNWARD && sign);
    return sign | (inf ? 0x7c00 : 0x7bff);
  }
  return r < 1024 ? sign | static_cast<uint16_t>(r)
                  : sign | static_cast<uint16_t>((e + 15) << 10) | static_cast<uint16_t>(static_cast<int>(r) - 1024);
}

}  // namespace roipool::fake_cuda
