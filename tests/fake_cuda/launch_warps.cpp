#include <algorithm>

#include "arithmetic.h"
#include "launch.h"
#include "report.h"

namespace roipool::fake_cuda {

void Launch::WarpOperation(Block& b, uint32_t warp, uint32_t lanes, const Instruction& in) {
  uint64_t src[32] = {}, bv[32] = {}, cv[32] = {};
  auto enter = [&](uint32_t lane) {
    thread_ = &b.threads[warp * 32 + lane];
    frame_ = &thread_->frames[thread_->depth];
    registers_ = frame_->regs.data();
    instruction_ = &in;
  };
  uint32_t preds = 0;
  for (uint32_t l = 0; l < 32; l++) {
    if (!(lanes >> l & 1)) continue;
    enter(l);
    src[l] = Get(in.a) & 0xffffffffu;
    bv[l] = Get(in.b);
    cv[l] = Get(in.c);
    if (src[l] & 1) preds |= 1u << l;
  }
  for (uint32_t l = 0; l < 32; l++) {
    if (!(lanes >> l & 1)) continue;
    enter(l);
    switch (in.op) {
      case kOpShfl: {
        uint32_t bval = bv[l] & 31, cval = cv[l] & 31, seg = (cv[l] >> 8) & 31;
        int maxl = static_cast<int>((l & seg) | (cval & ~seg & 31)), minl = static_cast<int>(l & seg), j;
        bool p;
        switch (in.mode) {
          case kShflUp:
            j = static_cast<int>(l) - static_cast<int>(bval);
            p = j >= maxl;
            break;
          case kShflDown:
            j = static_cast<int>(l) + static_cast<int>(bval);
            p = j <= maxl;
            break;
          case kShflBfly:
            j = static_cast<int>(l ^ bval);
            p = j <= maxl;
            break;
          default:
            j = static_cast<int>(static_cast<uint32_t>(minl) | (bval & ~seg & 31));
            p = j <= maxl;
            break;
        }
        if (!p) j = static_cast<int>(l);
        if (!(lanes >> j & 1))
          Report(kWarn, Format("shfl reads lane %d, which does not take part, at ", j) +
                            Where(&in, b.lin * threads_per_block_ + thread_->lin));
        Set(in.d, src[j]);
        Set(in.d2, p);
        break;
      }
      case kOpVote:
        switch (in.mode) {
          case kVoteAll:
            Set(in.d, preds == lanes);
            break;
          case kVoteAny:
            Set(in.d, preds != 0);
            break;
          case kVoteUni:
            Set(in.d, preds == 0 || preds == lanes);
            break;
          default:
            Set(in.d, preds);
            break;
        }
        break;
      case kOpRedux: {
        bool first = true;
        uint64_t acc = 0;
        Instruction op = in;
        for (uint32_t k = 0; k < 32; k++) {
          if (!(lanes >> k & 1)) continue;
          acc = first ? src[k] : AtomicValue(op, false, acc, src[k], 0);
          first = false;
        }
        Set(in.d, acc);
        break;
      }
      default:
        break;  // bar.warp.sync
    }
    thread_->state = Thread::kRunning;
  }
}

bool Launch::Resolve(Block& b) {
  bool progress = false;
  for (uint32_t w = 0; w * 32 < threads_per_block_; w++) {
    uint32_t n = std::min(32u, threads_per_block_ - w * 32), alive = 0, waiting = 0;
    for (uint32_t l = 0; l < n; l++) {
      Thread& t = b.threads[w * 32 + l];
      if (t.state != Thread::kDone) alive |= 1u << l;
      if (t.state == Thread::kAtWarpOp) waiting |= 1u << l;
    }
    for (uint32_t l = 0; l < n; l++) {
      Thread& t = b.threads[w * 32 + l];
      if (t.state != Thread::kAtWarpOp) continue;
      uint32_t want = t.bar_count & alive, here = 0;
      if (!(want >> l & 1)) {
        thread_ = &t, block_ = &b, instruction_ = t.wait;
        Fail(kIllegalInstruction, "the thread is not in the member mask of its warp instruction");
      }
      for (uint32_t k = 0; k < n; k++)
        if ((want & waiting) >> k & 1 && b.threads[w * 32 + k].wait == t.wait) here |= 1u << k;
      if (here == want) {
        block_ = &b;
        WarpOperation(b, w, want, *t.wait);
        if (t.wait->op == kOpWarpBar) b.epoch++;
        waiting &= ~want;
        progress = true;
      }
    }
  }
  for (uint32_t bar = 0; bar < 16; bar++) {
    uint32_t alive = 0, here = 0, count = 0;
    const Instruction* first = nullptr;
    bool mixed = false;
    for (Thread& t : b.threads) {
      if (t.state == Thread::kDone) continue;
      alive++;
      if (t.state != Thread::kAtBarrier || t.bar_id != bar) continue;
      here++;
      count = t.bar_count;
      if (first && t.wait != first) mixed = true;
      if (!first) first = t.wait;
    }
    if (here == 0 || here < (count ? count : alive)) continue;
    if (mixed && reported_.insert(1ull << 62 | static_cast<uint64_t>(first->line)).second)
      Report(kWarn, Format("threads of a block meet at different bar.sync instructions, one at line %d", first->line));
    for (Thread& t : b.threads)
      if (t.state == Thread::kAtBarrier && t.bar_id == bar) t.state = Thread::kRunning;
    b.epoch++;
    progress = true;
  }
  return progress;
}

}  // namespace roipool::fake_cuda
