#include <algorithm>

#include "launch.h"

namespace roipool::fake_cuda {

uint64_t Launch::IntegerOperation(const Instruction& in) {
  int n = TypeSize(in.type);
  uint64_t mask = MaskOf(n), a = Get(in.a) & mask, b = Get(in.b), c = Get(in.c);
  bool sg = IsSigned(in.type);
  int width = 8 * n;
  switch (in.op) {
    case kOpAdd:
    case kOpSub: {
      b &= mask;
      if (in.sat) {
        int64_t r = in.op == kOpAdd ? SignExtend(a, 4) + SignExtend(b, 4) : SignExtend(a, 4) - SignExtend(b, 4);
        return static_cast<uint64_t>(std::min<int64_t>(std::max<int64_t>(r, INT32_MIN), INT32_MAX));
      }
      Uint128 carry = in.cc_in && thread_->cc;
      Uint128 r = in.op == kOpAdd ? static_cast<Uint128>(a) + b + carry : static_cast<Uint128>(a) - b - carry;
      if (in.cc_out) thread_->cc = (r >> width) & 1;
      return static_cast<uint64_t>(r) & mask;
    }
    case kOpMul:
    case kOpMad: {
      Uint128 prod = sg ? static_cast<Uint128>(static_cast<Int128>(SignExtend(a, n)) * SignExtend(b, n))
                        : static_cast<Uint128>(a) * (b & mask);
      if (in.wide) return static_cast<uint64_t>(prod) + (in.op == kOpMad ? c : 0);
      uint64_t r = static_cast<uint64_t>(in.hi ? prod >> width : prod) & mask;
      if (in.op == kOpMul) return r;
      Uint128 sum = static_cast<Uint128>(r) + (c & mask) + (in.cc_in && thread_->cc);
      if (in.cc_out) thread_->cc = (sum >> width) & 1;
      return static_cast<uint64_t>(sum) & mask;
    }
    case kOpDiv:
    case kOpRem: {
      b &= mask;
      if (b == 0) return in.op == kOpDiv ? mask : a;  // unspecified by PTX
      if (!sg) return in.op == kOpDiv ? a / b : a % b;
      Int128 x = SignExtend(a, n), y = SignExtend(b, n);
      return static_cast<uint64_t>(in.op == kOpDiv ? x / y : x % y);
    }
    case kOpAbs:
      return SignExtend(a, n) < 0 ? 0 - a : a;
    case kOpNeg:
      return 0 - a;
    case kOpMin:
    case kOpMax: {
      b &= mask;
      bool less = sg ? SignExtend(a, n) < SignExtend(b, n) : a < b;
      return less == (in.op == kOpMin) ? a : b;
    }
    case kOpSad: {
      b &= mask;
      bool less = sg ? SignExtend(a, n) < SignExtend(b, n) : a < b;
      return c + (less ? b - a : a - b);
    }
    case kOpPopc:
      return static_cast<uint64_t>(__builtin_popcountll(a));
    case kOpClz:
      return a ? static_cast<uint64_t>(__builtin_clzll(a) - (64 - width)) : static_cast<uint64_t>(width);
    case kOpBfind: {
      uint64_t v = sg && SignExtend(a, n) < 0 ? ~a & mask : a;
      if (!v) return 0xffffffffu;
      uint64_t pos = 63 - static_cast<uint64_t>(__builtin_clzll(v));
      return in.mode ? static_cast<uint64_t>(width) - 1 - pos : pos;
    }
    case kOpBrev: {
      uint64_t r = 0;
      for (int i = 0; i < width; i++) r |= (a >> i & 1) << (width - 1 - i);
      return r;
    }
    case kOpBfe: {
      uint32_t pos = b & 255, len = c & 255;
      uint64_t sbit = sg && len ? a >> std::min<uint32_t>(pos + len - 1, static_cast<uint32_t>(width) - 1) & 1 : 0, r = 0;
      for (uint32_t i = 0; i < static_cast<uint32_t>(width); i++)
        r |= (i < len && pos + i < static_cast<uint32_t>(width) ? a >> (pos + i) & 1 : sbit) << i;
      return r;
    }
    case kOpBfi: {
      uint32_t pos = c & 255, len = Get(in.e) & 255;
      uint64_t r = b & mask;
      for (uint32_t i = 0; i < len && pos + i < static_cast<uint32_t>(width); i++)
        r = (r & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
      return r;
    }
    case kOpAnd:
      return a & b & mask;
    case kOpOr:
      return (a | b) & mask;
    case kOpXor:
      return (a ^ b) & mask;
    case kOpNot:
      return ~a & mask;
    case kOpCnot:
      return a == 0;
    case kOpShl: {
      uint32_t s = static_cast<uint32_t>(b);
      return s >= static_cast<uint32_t>(width) ? 0 : a << s & mask;
    }
    case kOpShr: {
      uint32_t s = static_cast<uint32_t>(b);
      if (sg) return static_cast<uint64_t>(SignExtend(a, n) >> std::min<uint32_t>(s, static_cast<uint32_t>(width) - 1));
      return s >= static_cast<uint32_t>(width) ? 0 : a >> s;
    }
    case kOpShf: {
      uint64_t v = (b & 0xffffffffu) << 32 | (a & 0xffffffffu);
      uint32_t s = in.mode & 2 ? std::min<uint32_t>(static_cast<uint32_t>(c), 32) : static_cast<uint32_t>(c) & 31;
      return (in.mode & 1 ? v >> s : v << s >> 32) & 0xffffffffu;
    }
    case kOpLop3: {
      uint64_t lut = Get(in.e), r = 0;
      for (int i = 0; i < 32; i++) r |= (lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
      return r;
    }
    case kOpPrmt: {
      uint64_t v = (b & 0xffffffffu) << 32 | (a & 0xffffffffu), r = 0;
      for (int i = 0; i < 4; i++) {
        uint32_t sel = static_cast<uint32_t>(c >> (4 * i)) & 15;
        uint64_t byte = v >> (8 * (sel & 7)) & 255;
        if (sel & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << (8 * i);
      }
      return r;
    }
    case kOpDp4a:
    case kOpDp2a: {
      int64_t r = static_cast<int64_t>(c);
      bool sb = IsSigned(in.type2);
      for (int i = 0; i < (in.op == kOpDp4a ? 4 : 2); i++) {
        uint64_t x = in.op == kOpDp4a ? a >> (8 * i) & 255 : a >> (16 * i) & 0xffff;
        uint64_t y = b >> (8 * (i + (in.op == kOpDp2a && in.hi ? 2 : 0))) & 255;
        r += (sg ? SignExtend(x, in.op == kOpDp4a ? 1 : 2) : static_cast<int64_t>(x)) *
             (sb ? SignExtend(y, 1) : static_cast<int64_t>(y));
      }
      return static_cast<uint64_t>(r) & 0xffffffffu;
    }
    default:
      Fail(kNotSupported, "unsupported instruction");
  }
}

}  // namespace roipool::fake_cuda
