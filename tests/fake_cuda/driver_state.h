#ifndef ROIPOOL_TESTS_FAKE_CUDA_DRIVER_STATE_H_
#define ROIPOOL_TESTS_FAKE_CUDA_DRIVER_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "module.h"
#include "types.h"

namespace roipool::fake_cuda {

// There is one context, with a reference count.
struct Context {
  int references = 0;
  unsigned flags = 0;
};

// Host memory that the driver knows.
struct PinnedMemory {
  uint64_t size;
  bool is_allocation;  // of the driver; else registered
};

struct DriverState {
  std::recursive_mutex mutex;
  bool initialized = false;
  bool in_host_function = false;
  Context context;
  Status error = kSuccess;  // of work on the device; stays
  std::string log;
  std::unordered_map<void*, std::unique_ptr<Module>> modules;
  std::unordered_set<const void*> kernels;
  std::map<uint64_t, PinnedMemory> pinned;  // by address

  bool IsPinned(uint64_t address) const { return PinnedRange(address) != pinned.end(); }
  // The piece of pinned memory that holds an address, or the map's end.
  std::map<uint64_t, PinnedMemory>::const_iterator PinnedRange(uint64_t address) const;
};

DriverState& State();

// A reference to the context less; the last one reports what was not freed, and destroys all that is in the context.
void ReleaseContext();

// The contexts that are current, per thread. No destructors here: Halide calls the driver when the program's static destructors
// run.
struct ContextStack {
  static constexpr int kMaxDepth = 256;
  void* items[kMaxDepth];
  int depth;

  bool Empty() const { return depth == 0; }
  void* Back() const { return items[depth - 1]; }
  void PopBack() { depth--; }
  bool PushBack(void* context) {
    if (depth == kMaxDepth) return false;
    items[depth++] = context;
    return true;
  }
};
extern thread_local ContextStack context_stack;

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_DRIVER_STATE_H_
