#ifndef ROIPOOL_TESTS_FAKE_CUDA_DEVICE_MEMORY_H_
#define ROIPOOL_TESTS_FAKE_CUDA_DEVICE_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "settings.h"

namespace roipool::fake_cuda {

// Device pointers are made-up addresses that the host can't dereference.
// Every allocation has its own 64 GiB slot and starts in the middle of it, so
// no 32-bit element index that goes astray can reach another allocation.
constexpr uint64_t kSlotShift = 36;
constexpr uint64_t kSlotOffset = 1ull << 35;
constexpr uint64_t kGlobalBase = 1ull << 48;
// Windows of the generic address space.
constexpr uint64_t kSharedWindow = 1ull << 44;
constexpr uint64_t kLocalWindow = 2ull << 44;
constexpr uint64_t kParamWindow = 3ull << 44;
constexpr uint64_t kWindowSize = 1ull << 40;
// Static shared variables lie 1 MiB apart, after the dynamic shared memory at 0.
constexpr uint64_t kSharedStep = 1ull << 20;

// What is known of the last accesses to a granule (4 bytes, or 1 if needed).
// Layout: bit 63 valid, bit 62 atomic (w) or several threads of the block (r),
// bit 61 several blocks, bits 42..60 barrier epoch, bits 0..41 thread.
struct Shadow {
  uint64_t w = 0, r = 0;
  uint32_t wline = 0, rline = 0;
};

constexpr uint64_t kShadowValid = 1ull << 63, kShadowFlag = 1ull << 62, kShadowBlocks = 1ull << 61;
constexpr uint64_t kShadowThread = (1ull << 42) - 1;
inline uint64_t EpochOf(uint64_t x) { return (x >> 42) & 0x7ffff; }

// A piece of checked memory: a device allocation, a module variable or a
// shared variable.
struct Region {
  std::string name;
  uint64_t base = 0, size = 0;
  uint8_t* data = nullptr;
  bool freed = false, constant = false;
  bool free_is_queued = false;
  std::vector<uint64_t> written;  // one bit per byte, if FAKE_CUDA_INIT is not off
  std::vector<Shadow> shadow;     // of the launch shadow_launch
  uint64_t shadow_launch = 0;
  int granule = 4;

  void MarkWritten(uint64_t off, uint64_t n) {
    if (written.empty()) return;
    for (uint64_t i = off; i < off + n;) {
      if (i % 64 == 0 && i + 64 <= off + n) {
        written[i / 64] = ~0ull;
        i += 64;
      } else {
        written[i / 64] |= 1ull << (i % 64);
        i++;
      }
    }
  }
  bool AllWritten(uint64_t off, uint64_t n) const {
    if (written.empty()) return true;
    for (uint64_t i = off; i < off + n; i++)
      if (!(written[i / 64] >> (i % 64) & 1)) return false;
    return true;
  }
  void Prepare(uint64_t bytes) {
    size = bytes;
    if (CurrentSettings().init != kOff) written.assign(size / 64 + 1, 0);
  }
};

struct DeviceMemory {
  std::vector<Region*> slots;  // slot number -> region (freed ones stay, for reports)
  uint64_t used = 0, peak = 0;

  // Null: no memory left.
  Region* Create(uint64_t bytes, const std::string& name);
  // The region in whose slot an address lies, freed or not.
  Region* Near(uint64_t addr) const {
    if (addr < kGlobalBase) return nullptr;
    uint64_t slot = (addr - kGlobalBase) >> kSlotShift;
    return slot < slots.size() ? slots[slot] : nullptr;
  }
  void Release(Region* r);
  // Why an access of n bytes at addr is wrong.
  std::string Explain(uint64_t addr, uint64_t n) const;
  // Checks a range for a copy by the host.
  Region* Range(uint64_t addr, uint64_t n, const char* api);
};

DeviceMemory& GlobalMemory();

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_DEVICE_MEMORY_H_
