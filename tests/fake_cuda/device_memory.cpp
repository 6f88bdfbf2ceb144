#include "device_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "report.h"

namespace roipool::fake_cuda {

Region* DeviceMemory::Create(uint64_t bytes, const std::string& name) {
  if (bytes == 0 || bytes >= kSlotOffset || used + bytes > CurrentSettings().mem_mb << 20) return nullptr;
  uint8_t* data = static_cast<uint8_t*>(malloc(bytes));
  if (!data) return nullptr;
  memset(data, 0xcb, bytes);  // make use of uninitialised memory visible
  auto* r = new Region;
  r->name = name;
  r->data = data;
  r->Prepare(bytes);
  r->base = kGlobalBase + (static_cast<uint64_t>(slots.size()) << kSlotShift) + kSlotOffset;
  slots.push_back(r);
  used += bytes;
  peak = std::max(peak, used);
  return r;
}

void DeviceMemory::Release(Region* r) {
  used -= r->size;
  free(r->data);
  r->data = nullptr;
  r->freed = true;
  r->written = {};
  r->shadow = {};
}

std::string DeviceMemory::Explain(uint64_t addr, uint64_t n) const {
  Region* r = Near(addr);
  if (!r) {
    if (addr < 4096) return Format("0x%lx is a null pointer", addr);
    return Format("0x%lx is no address of device memory%s", addr, addr < kGlobalBase ? " (a host pointer?)" : "");
  }
  if (r->freed) return r->name + " is freed already";
  int64_t off = static_cast<int64_t>(addr - r->base);
  if (off < 0) return Format("%ld bytes before %s (%lu bytes)", -off, r->name.c_str(), r->size);
  return Format("byte offset %ld, %ld bytes past the end of %s (%lu bytes)", off,
                (off + static_cast<int64_t>(n) - static_cast<int64_t>(r->size)), r->name.c_str(), r->size);
}

Region* DeviceMemory::Range(uint64_t addr, uint64_t n, const char* api) {
  Region* r = Near(addr);
  if (!r || r->freed || addr < r->base || addr - r->base > r->size || n > r->size - (addr - r->base)) {
    Complain(Format("%s: %lu bytes at 0x%lx: ", api, n, addr) + Explain(addr, n));
    return nullptr;
  }
  return r;
}

DeviceMemory& GlobalMemory() {
  static DeviceMemory* d = new DeviceMemory;  // never destroyed: programs use CUDA in exit handlers
  return *d;
}

}  // namespace roipool::fake_cuda
