#include <algorithm>
#include <cstring>

#include "launch.h"
#include "report.h"

namespace roipool::fake_cuda {

void Launch::ReportRace(Region& r, uint64_t off, int n, const char* now, uint32_t line, uint64_t other, const char* before) {
  races_++;
  uint64_t key = (static_cast<uint64_t>(instruction_->line) << 32 | line) * 4 + (now[0] == 'w') * 2 + (before[0] == 'w');
  if (!reported_.insert(key).second) return;
  Instruction prev;
  prev.line = static_cast<int>(line);
  Report(settings_.race, Format("data race: %s at ", now) + Where(instruction_, ThreadId()) + Format(", and %s at ", before) +
                             Where(&prev, other & kShadowThread) +
                             Format(": %d bytes at byte offset %lu of %s", n, off, r.name.c_str()));
}

void Launch::CheckRace(Region& r, uint64_t off, int n, AccessKind kind, const uint8_t* value) {
  if (r.shadow_launch != id_) {
    r.shadow.assign(r.size / 4 + 1, Shadow());
    r.granule = 4;
    r.shadow_launch = id_;
  }
  if (n < 4 && r.granule == 4) {
    std::vector<Shadow> fine(r.size + 4);
    for (uint64_t i = 0; i < fine.size() && i / 4 < r.shadow.size(); i++) fine[i] = r.shadow[i / 4];
    r.shadow.swap(fine);
    r.granule = 1;
  }
  uint64_t me = ThreadId();
  uint64_t now = kShadowValid | static_cast<uint64_t>(block_->epoch & 0x7ffff) << 42 | me;
  const uint64_t first = block_->lin * threads_per_block_;
  auto of_this_block = [&](uint64_t x) { return (x & kShadowThread) - first < threads_per_block_; };
  auto concurrent = [&](uint64_t x) {  // of another thread, and not ordered by a barrier
    uint64_t other = x & kShadowThread;
    if (other == me) return false;
    if (!of_this_block(other)) return true;
    return EpochOf(x) == EpochOf(now);
  };
  const int shift = r.granule == 4 ? 2 : 0;
  for (uint64_t g = off >> shift; g <= (off + n - 1) >> shift; g++) {
    Shadow& s = r.shadow[g];
    bool wconf = (s.w & kShadowValid) && (concurrent(s.w) || (s.w & kShadowBlocks));
    if (kind == kRead) {
      if (wconf) ReportRace(r, off, n, "read", s.wline, s.w, s.w & kShadowFlag ? "atomic write" : "write");
      bool valid = s.r & kShadowValid;
      if (!valid) {
        s.r = now;
      } else if (!of_this_block(s.r)) {
        s.r = now | kShadowBlocks | kShadowFlag;
      } else if (EpochOf(s.r) != EpochOf(now)) {
        s.r = now | (s.r & kShadowBlocks);
      } else if ((s.r & kShadowThread) != me) {
        s.r |= kShadowFlag;
      }
      s.rline = static_cast<uint32_t>(instruction_->line);
      continue;
    }
    bool atomic = kind == kAtomic;
    if (wconf && !(atomic && (s.w & kShadowFlag))) {
      // Writes of the value that is there already do no harm (Halide's
      // shifted tail tiles do so).
      uint64_t lo = std::max(off, g * r.granule), hi = std::min<uint64_t>(off + n, (g + 1) * r.granule);
      if (!atomic && !(s.w & kShadowFlag) && memcmp(r.data + lo, value + (lo - off), hi - lo) == 0)
        equal_writes_++;
      else
        ReportRace(r, off, n, atomic ? "atomic write" : "write", s.wline, s.w, s.w & kShadowFlag ? "atomic write" : "write");
    }
    if (s.r & kShadowValid) {
      bool same_epoch = EpochOf(s.r) == EpochOf(now) && of_this_block(s.r);
      if ((s.r & kShadowBlocks) || concurrent(s.r) || (same_epoch && (s.r & kShadowFlag)))
        ReportRace(r, off, n, atomic ? "atomic write" : "write", s.rline, s.r, "read");
    }
    uint64_t blocks = s.w & kShadowBlocks;
    if ((s.w & kShadowValid) && !of_this_block(s.w)) blocks = kShadowBlocks;
    s.w = now | (atomic ? kShadowFlag : 0) | blocks;
    s.wline = static_cast<uint32_t>(instruction_->line);
  }
}

uint8_t* Launch::AccessRegion(Region& r, uint64_t off, int n, AccessKind kind, const uint8_t* value) {
  if (kind == kRead || kind == kAtomic) {
    if (settings_.init != kOff && !r.AllWritten(off, n)) {
      unwritten_reads_++;
      if (reported_.insert(1ull << 63 | static_cast<uint64_t>(instruction_->line)).second)
        Report(settings_.init, "read of uninitialised memory at " + Where(instruction_, ThreadId()) +
                                   Format(": %d bytes at byte offset %lu of %s", n, off, r.name.c_str()));
    }
  }
  if (kind != kRead) {
    if (r.constant) Fail(kIllegalAddress, "write to constant memory, " + r.name);
    r.MarkWritten(off, n);
  }
  if (settings_.race != kOff && !r.constant) CheckRace(r, off, n, kind, value);
  return r.data + off;
}

void Launch::BadAddress(const char* space, uint64_t addr, int n, const std::string& why) {
  Fail(kIllegalAddress, Format("out of bounds: access to %d bytes at %s address 0x%lx: ", n, space, addr) + why);
}

uint8_t* Launch::Access(Space space, uint64_t addr, int n, int align, AccessKind kind, const uint8_t* value) {
  if (space == kGeneric) {
    uint64_t window = addr & ~(kWindowSize - 1);
    if (window == kSharedWindow || window == kLocalWindow || window == kParamWindow) {
      space = window == kSharedWindow ? kShared : window == kLocalWindow ? kLocal : kParam;
      addr -= window;
    } else {
      space = kGlobal;
    }
  }
  if ((addr & static_cast<uint64_t>(align - 1)) != 0)
    Fail(kMisalignedAddress, Format("misaligned access to %d bytes at 0x%lx", n, addr));
  switch (space) {
    case kShared:
      for (auto& r : block_->shared)
        if (addr >= r->base && addr + n <= r->base + r->size && addr + n > addr)
          return AccessRegion(*r, addr - r->base, n, kind, value);
      {
        std::string have;
        for (auto& r : block_->shared)
          have += Format("%s%s has %lu bytes at 0x%lx", have.empty() ? "" : ", ", r->name.c_str(), r->size, r->base);
        BadAddress("shared", addr, n, have.empty() ? "the block has no shared memory" : have);
      }
    case kLocal:
      if (addr + n > thread_->local.size() || addr + n < addr)
        BadAddress("local", addr, n, Format("the thread has %lu bytes of local memory", thread_->local.size()));
      return thread_->local.data() + addr;
    case kParam:
      if (addr + n > frame_->params.size() || addr + n < addr) BadAddress("parameter", addr, n, "");
      return frame_->params.data() + addr;
    default: {
      Region* r = memory_.Near(addr);
      uint64_t off = r ? addr - r->base : 0;
      if (!r || r->freed || off > r->size || static_cast<uint64_t>(n) > r->size - off)
        BadAddress("global", addr, n, memory_.Explain(addr, n));
      return AccessRegion(*r, off, n, kind, value);
    }
  }
}

}  // namespace roipool::fake_cuda
