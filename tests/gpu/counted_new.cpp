#include "counted_new.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace roipool::test {
namespace {

std::atomic<int64_t> live = 0;
thread_local int until_failure = 0;

bool IsInThisProgram(const void* address) {
  Dl_info caller = {}, self = {};
  dladdr(address, &caller);
  dladdr(reinterpret_cast<const void*>(&LiveAllocations), &self);
  return caller.dli_fbase == self.dli_fbase;
}

void* Allocate(size_t size, const void* caller) {
  if (until_failure > 0 && IsInThisProgram(caller) && --until_failure == 0) throw std::bad_alloc();
  void* block = std::malloc(size > 0 ? size : 1);
  if (block == nullptr) throw std::bad_alloc();
  live.fetch_add(1, std::memory_order_relaxed);
  return block;
}

void Free(void* block) {
  if (block != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
  std::free(block);
}

}  // namespace

int64_t LiveAllocations() { return live.load(std::memory_order_relaxed); }

void FailAllocation(int nth) { until_failure = nth; }

}  // namespace roipool::test

void* operator new(size_t size) { return roipool::test::Allocate(size, __builtin_return_address(0)); }
void operator delete(void* block) noexcept { roipool::test::Free(block); }
void operator delete(void* block, size_t) noexcept { roipool::test::Free(block); }
