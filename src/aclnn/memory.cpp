// Memory of the acl API: this computer's own, with a table of what was given out, so that mistakes are errors.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "error.h"
#include "roipool/executor.h"
#include "runtime.h"

namespace roipool::aclnn {
namespace {

enum class Kind { kDevice, kHost };

class Allocations {
 public:
  static Allocations& Instance() {
    static auto& allocations = *new Allocations;
    return allocations;
  }

  /// May throw std::bad_alloc; *address is freed then.
  void Add(void* address, size_t size, Kind kind) {
    const std::lock_guard lock(mutex_);
    try {
      blocks_.emplace(static_cast<const char*>(address), Block{size, kind});
    } catch (...) {
      std::free(address);
      throw;
    }
  }

  /// False if `address` is not the beginning of a live block of this kind.
  bool Remove(const void* address, Kind kind) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(static_cast<const char*>(address));
    if (found == blocks_.end() || found->second.kind != kind) return false;
    blocks_.erase(found);
    return true;
  }

  /// How many bytes follow `address` in its block; SIZE_MAX for memory that was not given out here.
  size_t BytesFrom(const void* address) const noexcept {
    const std::lock_guard lock(mutex_);
    const auto* byte = static_cast<const char*>(address);
    auto block = blocks_.upper_bound(byte);
    if (block == blocks_.begin()) return SIZE_MAX;
    --block;
    const auto distance = static_cast<size_t>(byte - block->first);
    return distance < block->second.size ? block->second.size - distance : SIZE_MAX;
  }

 private:
  struct Block {
    size_t size;
    Kind kind;
  };

  mutable std::mutex mutex_;
  std::map<const char*, Block> blocks_;
};

int Allocate(const char* function, const char* name, void** address, size_t size, Kind kind) noexcept {
  ROIPOOL_ACLNN_CHECK(address != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, name);
  *address = nullptr;
  ROIPOOL_ACLNN_CHECK(size > 0, ACL_ERROR_INVALID_PARAM, "%s: size is 0, must be at least 1", function);
  constexpr size_t kAlignment = kWorkspaceAlignment;
  const size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  void* block = rounded < size ? nullptr : std::aligned_alloc(kAlignment, rounded);
  ROIPOOL_ACLNN_CHECK(block != nullptr, ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for size %zu", function, size);
  return Guarded(function, ACL_ERROR_RT_MEMORY_ALLOCATION, [&] {
    Allocations::Instance().Add(block, size, kind);
    *address = block;
    return ACL_SUCCESS;
  });
}

int Free(const char* function, const char* name, void* address, Kind kind) noexcept {
  ROIPOOL_ACLNN_CHECK(address != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, name);
  ROIPOOL_ACLNN_CHECK(Allocations::Instance().Remove(address, kind), ACL_ERROR_RT_PARAM_INVALID,
                      "%s: %s is %p, which %s has not given out, or which is freed already", function, name, address,
                      kind == Kind::kDevice ? "aclrtMalloc" : "aclrtMallocHost");
  std::free(address);
  return ACL_SUCCESS;
}

// [address, address + count) may not leave the block that it begins in.
int CheckReach(const char* function, const char* name, const void* address, size_t count) noexcept {
  ROIPOOL_ACLNN_CHECK(address != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, name);
  const size_t available = Allocations::Instance().BytesFrom(address);
  ROIPOOL_ACLNN_CHECK(count <= available, ACL_ERROR_RT_PARAM_INVALID,
                      "%s: count is %zu, but only %zu bytes of %s's block follow %p", function, count, available, name,
                      address);
  return ACL_SUCCESS;
}

int Copy(const char* function, void* to, size_t capacity, const void* from, size_t count, aclrtMemcpyKind kind) noexcept {
  ROIPOOL_ACLNN_CHECK(count <= capacity, ACL_ERROR_INVALID_PARAM, "%s: count is %zu, must be at most destMax (%zu)", function,
                      count, capacity);
  ROIPOOL_ACLNN_CHECK(kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE, ACL_ERROR_INVALID_PARAM,
                      "%s: kind is %d, must be one of aclrtMemcpyKind, 0 to 7", function, static_cast<int>(kind));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckReach(function, "dst", to, count));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckReach(function, "src", from, count));
  std::memmove(to, from, count);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return Allocate("aclrtMalloc", "devPtr", devPtr, size, Kind::kDevice);
}

aclError aclrtFree(void* devPtr) { return Free("aclrtFree", "devPtr", devPtr, Kind::kDevice); }

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return Allocate("aclrtMallocHost", "hostPtr", hostPtr, size, Kind::kHost);
}

aclError aclrtFreeHost(void* hostPtr) { return Free("aclrtFreeHost", "hostPtr", hostPtr, Kind::kHost); }

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  constexpr const char* kFunction = "aclrtMemset";
  ROIPOOL_ACLNN_CHECK(count <= maxCount, ACL_ERROR_INVALID_PARAM, "%s: count is %zu, must be at most maxCount (%zu)", kFunction,
                      count, maxCount);
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckReach(kFunction, "devPtr", devPtr, count));
  std::memset(devPtr, value, count);
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind) {
  return Copy("aclrtMemcpy", dst, destMax, src, count, kind);
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream) {
  constexpr const char* kFunction = "aclrtMemcpyAsync";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    ROIPOOL_ACLNN_CHECK(IsLiveStream(stream), ACL_ERROR_RT_PARAM_INVALID, "%s: stream is no live stream; was it destroyed?",
                        kFunction);
    return Copy(kFunction, dst, destMax, src, count, kind);
  });
}
