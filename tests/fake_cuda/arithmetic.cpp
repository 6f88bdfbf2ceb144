#include "arithmetic.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>

#include "float_conversion.h"

namespace roipool::fake_cuda {

namespace {

int HostRounding(uint8_t rnd) {
  return rnd == kRoundTowardZero ? FE_TOWARDZERO : rnd == kRoundDown ? FE_DOWNWARD : rnd == kRoundUp ? FE_UPWARD : FE_TONEAREST;
}

struct ScopedRounding {  // sets the rounding mode for a scope
  bool on;
  explicit ScopedRounding(uint8_t rnd) : on(rnd != kRoundNearest) {
    if (on) fesetround(HostRounding(rnd));
  }
  ~ScopedRounding() {
    if (on) fesetround(FE_TONEAREST);
  }
};

template <class T>
T Flush(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T(0), x) : x;
}

template <class T>
T MinMax(bool max, T a, T b, bool nan) {
  if (std::isnan(a) || std::isnan(b)) return nan || (std::isnan(a) && std::isnan(b)) ? T(NAN) : std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) == max ? b : a;  // -0 is less than +0
  return (a < b) == max ? b : a;
}

// The operations on floating-point numbers with up to three operands. Volatile copies keep them between changes of the rounding
// mode.
template <class T, class Kept>
T Compute(const Instruction& in, T x, T y, T z) {
  Kept a = x, b = y, c = z, r = 0;
  switch (in.op) {
    case kOpAdd:
      r = a + b;
      break;
    case kOpSub:
      r = a - b;
      break;
    case kOpMul:
      r = a * b;
      break;
    case kOpMad:
    case kOpFma:
      r = std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
      break;
    case kOpDiv:
      r = a / b;
      break;
    case kOpRcp:
      r = T(1) / a;
      break;
    case kOpSqrt:
      r = std::sqrt(static_cast<T>(a));
      break;
    case kOpRsqrt:
      r = static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
      break;
    case kOpSin:
      r = static_cast<T>(std::sin(static_cast<double>(a)));
      break;
    case kOpCos:
      r = static_cast<T>(std::cos(static_cast<double>(a)));
      break;
    case kOpLg2:
      r = static_cast<T>(std::log2(static_cast<double>(a)));
      break;
    case kOpEx2:
      r = static_cast<T>(std::exp2(static_cast<double>(a)));
      break;
    case kOpTanh:
      r = static_cast<T>(std::tanh(static_cast<double>(a)));
      break;
    case kOpMin:
      r = MinMax<T>(false, a, b, in.nan);
      break;
    case kOpMax:
      r = MinMax<T>(true, a, b, in.nan);
      break;
    case kOpAbs:
      r = std::fabs(static_cast<T>(a));
      break;
    case kOpNeg:
      r = -a;
      break;
    case kOpCopysign:
      r = std::copysign(static_cast<T>(b), static_cast<T>(a));
      break;
    default:
      throw Fault{kNotSupported, "unsupported floating-point instruction"};
  }
  return r;
}

template <class T>
T FloatOperation(const Instruction& in, T x, T y, T z) {
  if (in.ftz) {
    x = Flush(x);
    y = Flush(y);
    z = Flush(z);
  }
  T res;
  if (in.rnd == kRoundNearest) {
    res = Compute<T, T>(in, x, y, z);
  } else {
    ScopedRounding mode(in.rnd);
    res = Compute<T, volatile T>(in, x, y, z);
  }
  if (in.sat) res = std::isnan(res) ? T(0) : std::min(std::max(res, T(0)), T(1));
  if (in.ftz) res = Flush(res);
  return res;
}

uint64_t FromF32(float f) { return std::isnan(f) ? 0x7fffffffu : std::bit_cast<uint32_t>(f); }

uint64_t FromF64(double d) { return std::bit_cast<uint64_t>(d); }

template <class T>
bool Compare(uint8_t cmp, T a, T b, bool unordered) {
  switch (cmp) {
    case kEq:
      return !unordered && a == b;
    case kNe:
      return !unordered && a != b;
    case kLt:
      return !unordered && a < b;
    case kLe:
      return !unordered && a <= b;
    case kGt:
      return !unordered && a > b;
    case kGe:
      return !unordered && a >= b;
    case kEqu:
      return unordered || a == b;
    case kNeu:
      return unordered || a != b;
    case kLtu:
      return unordered || a < b;
    case kLeu:
      return unordered || a <= b;
    case kGtu:
      return unordered || a > b;
    case kGeu:
      return unordered || a >= b;
    case kNum:
      return !unordered;
    default:
      return unordered;
  }
}

}  // namespace

uint64_t FloatOperation(const Instruction& in, uint64_t a, uint64_t b, uint64_t c) {
  if (in.type == kF32)
    return FromF32(FloatOperation<float>(in, std::bit_cast<float>(static_cast<uint32_t>(a)),
                                         std::bit_cast<float>(static_cast<uint32_t>(b)),
                                         std::bit_cast<float>(static_cast<uint32_t>(c))));
  if (in.type == kF64)
    return FromF64(FloatOperation<double>(in, std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c)));
  double r = FloatOperation<double>(in, HalfToDouble(static_cast<uint16_t>(a)), HalfToDouble(static_cast<uint16_t>(b)),
                                    HalfToDouble(static_cast<uint16_t>(c)));
  ScopedRounding mode(in.rnd);
  return DoubleToHalf(r);
}

bool CompareTyped(const Instruction& in, uint64_t a, uint64_t b) {
  int n = TypeSize(in.type);
  if (in.type == kF32) {
    float x = std::bit_cast<float>(static_cast<uint32_t>(a)), y = std::bit_cast<float>(static_cast<uint32_t>(b));
    if (in.ftz) x = Flush(x), y = Flush(y);
    return Compare(in.cmp, x, y, std::isnan(x) || std::isnan(y));
  }
  if (in.type == kF64 || in.type == kF16) {
    double x = in.type == kF64 ? std::bit_cast<double>(a) : HalfToDouble(static_cast<uint16_t>(a));
    double y = in.type == kF64 ? std::bit_cast<double>(b) : HalfToDouble(static_cast<uint16_t>(b));
    return Compare(in.cmp, x, y, std::isnan(x) || std::isnan(y));
  }
  if (IsSigned(in.type)) return Compare(in.cmp, SignExtend(a, n), SignExtend(b, n), false);
  return Compare(in.cmp, a & MaskOf(n), b & MaskOf(n), false);
}

uint64_t Convert(const Instruction& in, uint64_t a) {
  Type to = in.type, from = in.type2;
  int nt = TypeSize(to), nf = TypeSize(from);
  if (IsFloat(from)) {
    double x = from == kF32   ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(a)))
               : from == kF64 ? std::bit_cast<double>(a)
                              : HalfToDouble(static_cast<uint16_t>(a));
    if (in.ftz && from == kF32) x = Flush(std::bit_cast<float>(static_cast<uint32_t>(a)));
    if (!IsFloat(to)) {
      // Conversions to integers clamp.
      if (std::isnan(x)) return from == kF64 || nt == 8 ? 1ull << (8 * nt - 1) : 0;
      double r = in.rnd == kRoundTowardZero ? std::trunc(x)
                 : in.rnd == kRoundDown     ? std::floor(x)
                 : in.rnd == kRoundUp       ? std::ceil(x)
                                            : std::nearbyint(x);
      if (IsSigned(to)) {
        double lim = std::ldexp(1.0, 8 * nt - 1);
        if (r >= lim) return MaskOf(nt) >> 1;
        if (r < -lim) return static_cast<uint64_t>(1) << (8 * nt - 1);
        return static_cast<uint64_t>(static_cast<int64_t>(r));
      }
      if (r >= std::ldexp(1.0, 8 * nt)) return MaskOf(nt);
      return r <= 0 ? 0 : static_cast<uint64_t>(r);
    }
    if (in.to_int)
      x = in.rnd == kRoundTowardZero ? std::trunc(x)
          : in.rnd == kRoundDown     ? std::floor(x)
          : in.rnd == kRoundUp       ? std::ceil(x)
                                     : std::nearbyint(x);
    if (in.sat) x = std::isnan(x) ? 0 : std::min(std::max(x, 0.0), 1.0);
    if (to == kF64) return FromF64(x);
    ScopedRounding mode(in.to_int ? static_cast<uint8_t>(kRoundNearest) : in.rnd);
    if (to == kF16) return DoubleToHalf(x);
    volatile double v = x;
    volatile float f = static_cast<float>(v);
    float g = f;
    if (in.ftz) g = Flush(g);
    return FromF32(g);
  }
  Int128 x = IsSigned(from) ? static_cast<Int128>(SignExtend(a, nf)) : static_cast<Int128>(a & MaskOf(nf));
  if (IsFloat(to)) {
    ScopedRounding mode(in.rnd);
    volatile bool neg = x < 0;
    volatile int64_t s = static_cast<int64_t>(x);
    volatile uint64_t u = static_cast<uint64_t>(x);
    if (to == kF32) {
      volatile float f = neg ? static_cast<float>(s) : static_cast<float>(u);
      float g = f;
      if (in.sat) g = std::min(std::max(g, 0.f), 1.f);
      return FromF32(g);
    }
    volatile double d = neg ? static_cast<double>(s) : static_cast<double>(u);
    double g = d;
    if (in.sat) g = std::min(std::max(g, 0.0), 1.0);
    return to == kF64 ? FromF64(g) : DoubleToHalf(g);
  }
  if (in.sat) {
    Int128 lo = IsSigned(to) ? -(static_cast<Int128>(1) << (8 * nt - 1)) : 0;
    Int128 hi = IsSigned(to) ? (static_cast<Int128>(1) << (8 * nt - 1)) - 1 : (static_cast<Int128>(1) << (8 * nt)) - 1;
    x = std::min(std::max(x, lo), hi);
  }
  return IsSigned(to) ? static_cast<uint64_t>(SignExtend(static_cast<uint64_t>(x), nt)) : static_cast<uint64_t>(x) & MaskOf(nt);
}

uint64_t AtomicValue(const Instruction& in, bool is_global, uint64_t old, uint64_t b, uint64_t c) {
  int n = TypeSize(in.type);
  uint64_t mask = MaskOf(n);
  b &= mask;
  switch (in.sub) {
    case kAtomAnd:
      return old & b;
    case kAtomOr:
      return old | b;
    case kAtomXor:
      return old ^ b;
    case kAtomExch:
      return b;
    case kAtomCas:
      return old == b ? c & mask : old;
    case kAtomInc:
      return old >= b ? 0 : old + 1;
    case kAtomDec:
      return old == 0 || old > b ? b : old - 1;
    case kAtomMin:
    case kAtomMax: {
      bool less = IsSigned(in.type) ? SignExtend(old, n) < SignExtend(b, n) : old < b;
      return less == (in.sub == kAtomMin) ? old : b;
    }
    default:
      if (in.type == kF32) {
        const auto x = std::bit_cast<float>(static_cast<uint32_t>(old)), y = std::bit_cast<float>(static_cast<uint32_t>(b));
        return FromF32(is_global ? Flush(Flush(x) + Flush(y)) : x + y);  // As the PTX manual has it, of this type alone.
      }
      if (in.type == kF64) return FromF64(std::bit_cast<double>(old) + std::bit_cast<double>(b));
      if (in.type == kF16)
        return DoubleToHalf(HalfToDouble(static_cast<uint16_t>(old)) + HalfToDouble(static_cast<uint16_t>(b)));
      return (old + b) & mask;
  }
}

}  // namespace roipool::fake_cuda
