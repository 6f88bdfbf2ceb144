#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "launch.h"

namespace roipool::fake_cuda {

uint64_t Launch::Special(uint32_t s) const {
  uint32_t lane = thread_->lin & 31;
  switch (s) {
    case kSpecialTidX:
      return thread_->x;
    case kSpecialTidY:
      return thread_->y;
    case kSpecialTidZ:
      return thread_->z;
    case kSpecialNtidX:
    case kSpecialNtidY:
    case kSpecialNtidZ:
      return block_size_[s - kSpecialNtidX];
    case kSpecialCtaX:
      return block_->x;
    case kSpecialCtaY:
      return block_->y;
    case kSpecialCtaZ:
      return block_->z;
    case kSpecialNctaX:
    case kSpecialNctaY:
    case kSpecialNctaZ:
      return grid_size_[s - kSpecialNctaX];
    case kSpecialLane:
      return lane;
    case kSpecialWarp:
      return thread_->lin / 32;
    case kSpecialNwarp:
      return (threads_per_block_ + 31) / 32;
    case kSpecialLaneEq:
      return 1u << lane;
    case kSpecialLaneLt:
      return (1u << lane) - 1;
    case kSpecialLaneLe:
      return static_cast<uint32_t>((2ull << lane) - 1);
    case kSpecialLaneGe:
      return static_cast<uint32_t>(~((1u << lane) - 1));
    case kSpecialLaneGt:
      return static_cast<uint32_t>(~((2ull << lane) - 1));
    case kSpecialClock:
      return thread_->steps;
    case kSpecialDynShared:
      return dyn_shared_;
    case kSpecialTotalShared:
      return dyn_shared_ + static_shared_;
    default:
      return 0;
  }
}

uint64_t Launch::GetOther(const Operand& o) const {
  uint64_t v;
  switch (o.kind) {
    case Operand::kReg:
      v = registers_[o.idx];
      break;
    case Operand::kImm:
    case Operand::kParamVar:
      v = o.imm;
      break;
    case Operand::kLocalVar:
      v = frame_->local_base + o.imm;
      break;
    case Operand::kSpecial:
      v = Special(o.idx);
      break;
    default:
      return 0;
  }
  return o.negate ? !(v & 1) : v;
}

void Launch::PushFrame(Thread& t, const Function* f) {
  size_t level = t.frames.empty() || !t.frames[0].fn ? 0 : t.depth + 1;
  if (level >= 64) Fail(kLaunchFailed, "call depth exceeds 64");
  if (t.frames.size() <= level) t.frames.resize(level + 1);
  t.depth = level;
  Frame& fr = t.frames[level];
  fr.fn = f;
  fr.pc = 0;
  fr.regs.assign(f->nregs + 1, 0xcbcbcbcbcbcbcbcbull);
  fr.params.assign(f->param_bytes, 0);
  fr.local_base = level ? (t.frames[level - 1].local_base + t.frames[level - 1].fn->local_bytes + 15) / 16 * 16 : 0;
  size_t need = fr.local_base + f->local_bytes;
  if (level == 0)
    t.local.assign(need, 0xcb);
  else
    t.local.resize(need, 0xcb);
}

void Launch::Call(const Instruction& in) {
  const Function* f = in.callee;
  size_t caller = thread_->depth;
  PushFrame(*thread_, f);
  Frame &to = thread_->frames[thread_->depth], &from = thread_->frames[caller];
  to.call = &in;
  for (size_t i = 0; i < f->params.size(); i++) {
    const Operand& o = in.v[in.mode + i];
    uint8_t* dst = to.params.data() + f->params[i].off;
    if (o.kind == Operand::kParamVar) {
      memcpy(dst, from.params.data() + o.imm, f->params[i].size);
    } else {
      uint64_t v = o.kind == Operand::kReg ? from.regs[o.idx] : o.imm;
      memcpy(dst, &v, std::min<uint32_t>(8, f->params[i].size));
    }
  }
}

void Launch::Leave() {
  Frame& from = thread_->frames[thread_->depth];
  const Instruction& in = *from.call;
  thread_->depth--;
  Frame& to = thread_->frames[thread_->depth];
  for (size_t i = 0; i < from.fn->rets.size(); i++) {
    const ParamInfo& r = from.fn->rets[i];
    const Operand& o = in.v[i];
    if (o.kind == Operand::kParamVar) {
      memcpy(to.params.data() + o.imm, from.params.data() + r.off, r.size);
    } else if (o.kind == Operand::kReg) {
      uint64_t v = 0;
      memcpy(&v, from.params.data() + r.off, std::min<uint32_t>(8, r.size));
      to.regs[o.idx] = v;
    }
  }
}

void Launch::Run(Block& b, Thread& t, uint64_t budget) {
  block_ = &b;
  thread_ = &t;
  const uint64_t limit = settings_.max_steps;
  frame_ = &t.frames[t.depth];
  registers_ = frame_->regs.data();
  const Instruction* code = frame_->fn->code.data();
  uint32_t pc = frame_->pc;
  auto reload = [&] {
    frame_ = &t.frames[t.depth];
    registers_ = frame_->regs.data();
    code = frame_->fn->code.data();
    pc = frame_->pc;
  };
  for (uint64_t n = 0; n < budget; n++) {
    const Instruction& in = code[pc];
    instruction_ = &in;
    pc++;
    instructions_++;
    if (++t.steps > limit) Fail(kLaunchTimeout, "a thread has run too many instructions (FAKE_CUDA_MAX_STEPS)");
    if (in.guard >= 0 && static_cast<bool>(registers_[in.guard] & 1) == in.guard_neg) continue;
    switch (in.op) {
      case kOpBad:
        Fail(kNotSupported, "unsupported: " + in.why);
      case kOpMov:
        Set(in.d, Get(in.a));
        break;
      case kOpPack: {
        int size = TypeSize(in.type) / static_cast<int>(in.v.size());
        uint64_t v = 0;
        for (size_t i = 0; i < in.v.size(); i++) v |= (Get(in.v[i]) & MaskOf(size)) << (8 * size * static_cast<int>(i));
        Set(in.d, v);
        break;
      }
      case kOpUnpack: {
        int size = TypeSize(in.type) / static_cast<int>(in.v.size());
        uint64_t v = Get(in.a);
        for (size_t i = 0; i < in.v.size(); i++) Set(in.v[i], v >> (8 * size * static_cast<int>(i)) & MaskOf(size));
        break;
      }
      case kOpLd: {
        int size = TypeSize(in.type);
        const uint8_t* p =
            Access(in.space, Get(in.a) + static_cast<uint64_t>(in.off), size * in.vec, size * in.vec, kRead, nullptr);
        uint64_t v[8];
        for (int i = 0; i < in.vec; i++) {
          uint64_t x = 0;
          memcpy(&x, p + i * size, size);
          v[i] = IsSigned(in.type) ? static_cast<uint64_t>(SignExtend(x, size)) : x;
        }
        for (int i = 0; i < in.vec; i++) Set(in.v[i], v[i]);
        break;
      }
      case kOpSt: {
        int size = TypeSize(in.type);
        uint8_t buf[64];
        for (int i = 0; i < in.vec; i++) {
          uint64_t x = Get(in.v[i]);
          memcpy(buf + i * size, &x, size);
        }
        uint8_t* p = Access(in.space, Get(in.a) + static_cast<uint64_t>(in.off), size * in.vec, size * in.vec, kWrite, buf);
        memcpy(p, buf, size * in.vec);
        break;
      }
      case kOpAtom:
      case kOpRed: {
        int size = TypeSize(in.type);
        const uint64_t address = Get(in.a) + static_cast<uint64_t>(in.off);
        uint8_t* p = Access(in.space, address, size, size, kAtomic, nullptr);
        uint64_t old = 0;
        memcpy(&old, p, size);
        const bool is_shared = in.space == kShared || (in.space == kGeneric && (address & ~(kWindowSize - 1)) == kSharedWindow);
        uint64_t v = AtomicValue(in, !is_shared, old, Get(in.b), Get(in.c));
        memcpy(p, &v, size);
        if (in.op == kOpAtom) Set(in.d, IsSigned(in.type) ? static_cast<uint64_t>(SignExtend(old, size)) : old);
        break;
      }
      case kOpSetp:
      case kOpSet: {
        bool r = CompareTyped(in, Get(in.a), Get(in.b)), q = !r;
        if (in.boolop) {
          bool c = Get(in.c) & 1;
          auto combine = [&](bool x) { return in.boolop == kBoolAnd ? x && c : in.boolop == kBoolOr ? x || c : x != c; };
          r = combine(r);
          q = combine(q);
        }
        if (in.op == kOpSetp) {
          Set(in.d, r);
          Set(in.d2, q);
        } else {
          Set(in.d, !r ? 0 : in.type2 == kF32 ? std::bit_cast<uint32_t>(1.0f) : 0xffffffffu);
        }
        break;
      }
      case kOpSelp:
        Set(in.d, Get(in.c) & 1 ? Get(in.a) : Get(in.b));
        break;
      case kOpSlct: {
        uint64_t c = Get(in.c);
        bool ge = in.type2 == kF32 ? std::bit_cast<float>(static_cast<uint32_t>(c)) >= 0 : SignExtend(c, 4) >= 0;
        Set(in.d, ge ? Get(in.a) : Get(in.b));
        break;
      }
      case kOpCvt:
        Set(in.d, Convert(in, Get(in.a)));
        break;
      case kOpCvta: {
        uint64_t window = in.space == kShared  ? kSharedWindow
                          : in.space == kLocal ? kLocalWindow
                          : in.space == kParam ? kParamWindow
                                               : 0;
        Set(in.d, in.to ? Get(in.a) - window : Get(in.a) + window);
        break;
      }
      case kOpIsspacep: {
        uint64_t window = Get(in.a) & ~(kWindowSize - 1);
        Space s = window == kSharedWindow  ? kShared
                  : window == kLocalWindow ? kLocal
                  : window == kParamWindow ? kParam
                                           : kGlobal;
        if (s == kGlobal) {
          Region* r = memory_.Near(Get(in.a));
          if (r && r->constant) s = kConst;
        }
        Set(in.d, s == in.space);
        break;
      }
      case kOpTestp: {
        uint64_t a = Get(in.a);
        int cls = in.type == kF32 ? std::fpclassify(std::bit_cast<float>(static_cast<uint32_t>(a)))
                                  : std::fpclassify(std::bit_cast<double>(a));
        bool r = in.mode == 0   ? cls != FP_NAN && cls != FP_INFINITE
                 : in.mode == 1 ? cls == FP_INFINITE
                 : in.mode == 2 ? cls != FP_NAN
                 : in.mode == 3 ? cls == FP_NAN
                 : in.mode == 4 ? cls == FP_NORMAL
                                : cls == FP_SUBNORMAL;
        Set(in.d, r);
        break;
      }
      case kOpBra:
        pc = static_cast<uint32_t>(in.targets[0]);
        break;
      case kOpBrx: {
        uint64_t i = Get(in.a) & 0xffffffffu;
        if (i >= in.targets.size()) Fail(kIllegalInstruction, "brx.idx with an index past its table");
        pc = static_cast<uint32_t>(in.targets[i]);
        break;
      }
      case kOpCall:
        frame_->pc = pc;
        Call(in);
        reload();
        break;
      case kOpRet:
        if (t.depth) {
          Leave();
          reload();
          break;
        }
        t.state = Thread::kDone;
        return;
      case kOpExit:
        t.state = Thread::kDone;
        return;
      case kOpTrap:
        Fail(kLaunchFailed, "trap");
      case kOpNop:
        break;
      case kOpBar:
        t.bar_id = static_cast<uint32_t>(Get(in.a));
        t.bar_count = static_cast<uint32_t>(Get(in.b));
        if (t.bar_id > 15) Fail(kIllegalInstruction, "barrier number above 15");
        t.state = Thread::kAtBarrier;
        t.wait = &in;
        frame_->pc = pc;
        return;
      case kOpWarpBar:
      case kOpShfl:
      case kOpVote:
      case kOpRedux:
        t.bar_count = static_cast<uint32_t>(Get(in.op == kOpWarpBar ? in.a : in.e));
        t.state = Thread::kAtWarpOp;
        t.wait = &in;
        frame_->pc = pc;
        return;
      case kOpActivemask: {
        uint32_t m = 0;
        for (uint32_t l = 0; l < 32; l++) {
          uint32_t k = (t.lin & ~31u) + l;
          if (k < threads_per_block_ && b.threads[k].state != Thread::kDone) m |= 1u << l;
        }
        Set(in.d, m);
        break;
      }
      case kOpAnd:
      case kOpOr:
      case kOpXor:
      case kOpNot:
        if (in.type == kPred) {
          uint64_t x = Get(in.a) & 1, y = Get(in.b) & 1;
          Set(in.d, in.op == kOpAnd ? x & y : in.op == kOpOr ? x | y : in.op == kOpXor ? x ^ y : x ^ 1);
          break;
        }
        Set(in.d, IntegerOperation(in));
        break;
      default:
        if (IsFloat(in.type))
          Set(in.d, FloatOperation(in, Get(in.a), Get(in.b), Get(in.c)));
        else
          Set(in.d, IntegerOperation(in));
    }
  }
  frame_->pc = pc;
}

}  // namespace roipool::fake_cuda
