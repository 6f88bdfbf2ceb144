// What OpenCL's memory objects tell of themselves.
#ifndef ROIPOOL_SRC_MEMORY_OBJECT_H_
#define ROIPOOL_SRC_MEMORY_OBJECT_H_

#include <cstdint>

#include "roipool/status.h"

namespace roipool::internal {

/// A memory object as a part of the one that no other contains: sub-buffers of it have handles of their own.
struct MemoryObject {
  const void* whole = nullptr;
  uint64_t begin = 0;
  uint64_t size = 0;

  bool Overlaps(const MemoryObject& other) const noexcept {
    return whole != nullptr && whole == other.whole && begin < other.begin + other.size && other.begin < begin + size;
  }
};

/// Nothing for null.
Status Describe(const char* function, const void* handle, MemoryObject* object) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_MEMORY_OBJECT_H_
