// Memory of the acl API, the device's and the host's, with a table of what was given out, so that mistakes are errors.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "device.h"
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

  /// May throw std::bad_alloc.
  void Add(void* address, size_t size, Kind kind) {
    const std::lock_guard lock(mutex_);
    blocks_.emplace(static_cast<const char*>(address), Block{size, kind});
  }

  struct Block {
    size_t size;
    Kind kind;
  };
  using Blocks = std::map<const char*, Block>;

  /// Empty if `address` is not the beginning of a live block of this kind.
  Blocks::node_type Take(const void* address, Kind kind) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(static_cast<const char*>(address));
    return found == blocks_.end() || found->second.kind != kind ? Blocks::node_type() : blocks_.extract(found);
  }
  void PutBack(Blocks::node_type block) noexcept {
    const std::lock_guard lock(mutex_);
    blocks_.insert(std::move(block));
  }

  bool IsDevice(const void* address) const noexcept {
    const std::lock_guard lock(mutex_);
    const auto* byte = static_cast<const char*>(address);
    auto block = blocks_.upper_bound(byte);
    if (block == blocks_.begin()) return false;
    --block;
    return block->second.kind == Kind::kDevice && static_cast<size_t>(byte - block->first) < block->second.size;
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
  mutable std::mutex mutex_;
  Blocks blocks_;
};

// What the device's address is as a number.
uint64_t Address(const void* address) noexcept { return reinterpret_cast<uint64_t>(address); }

int AllocateBlock(const char* function, const AclDevice& device, size_t size, Kind kind, void** block) noexcept {
  if (kind == Kind::kHost && device.cuda != nullptr) {
    // Only from and to pinned memory does the driver copy without making the host wait.
    ROIPOOL_ACLNN_CUDA(function, device, cuMemHostAlloc, (block, size, 0));
    return ACL_SUCCESS;
  }
  if (kind == Kind::kDevice && device.cuda != nullptr) {
    uint64_t address = 0;
    ROIPOOL_ACLNN_CUDA(function, device, cuMemAlloc_v2, (&address, size));
    *block = reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): never followed
    return ACL_SUCCESS;
  }
  constexpr size_t kAlignment = kWorkspaceAlignment;
  const size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  *block = rounded < size ? nullptr : std::aligned_alloc(kAlignment, rounded);
  ROIPOOL_ACLNN_CHECK(*block != nullptr, ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for size %zu", function, size);
  return ACL_SUCCESS;
}

int FreeBlock(const char* function, const AclDevice& device, Kind kind, void* block) noexcept {
  if (device.cuda == nullptr)
    std::free(block);
  else if (kind == Kind::kDevice)
    ROIPOOL_ACLNN_CUDA(function, device, cuMemFree_v2, (Address(block)));
  else
    ROIPOOL_ACLNN_CUDA(function, device, cuMemFreeHost, (block));
  return ACL_SUCCESS;
}

int Allocate(const char* function, const char* name, void** address, size_t size, Kind kind) noexcept {
  ROIPOOL_ACLNN_CHECK(address != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, name);
  *address = nullptr;
  ROIPOOL_ACLNN_CHECK(size > 0, ACL_ERROR_INVALID_PARAM, "%s: size is 0, must be at least 1", function);
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(function, &device));
  void* block = nullptr;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(AllocateBlock(function, device, size, kind, &block));
  const int code = Guarded(function, ACL_ERROR_RT_MEMORY_ALLOCATION, [&] {
    Allocations::Instance().Add(block, size, kind);
    return ACL_SUCCESS;
  });
  if (code != ACL_SUCCESS) {
    static_cast<void>(FreeBlock(function, device, kind, block));
    return code;
  }
  *address = block;
  return ACL_SUCCESS;
}

int Free(const char* function, const char* name, void* address, Kind kind) noexcept {
  ROIPOOL_ACLNN_CHECK(address != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, name);
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(function, &device));
  return Guarded(function, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    // The driver is about to wait for everything; what a run found wrong is explained while its tensors are there.
    if (device.cuda != nullptr) SettleAllStreams();
    auto block = Allocations::Instance().Take(address, kind);
    ROIPOOL_ACLNN_CHECK(!block.empty(), ACL_ERROR_RT_PARAM_INVALID,
                        "%s: %s is %p, which %s has not given out, or which is freed already", function, name, address,
                        kind == Kind::kDevice ? "aclrtMalloc" : "aclrtMallocHost");
    const int code = FreeBlock(function, device, kind, address);
    if (code != ACL_SUCCESS) Allocations::Instance().PutBack(std::move(block));
    return code;
  });
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

// Where the two ends of a copy are: as the kind says, or by the table.
struct CopyEnds {
  bool from_device, to_device;
};

CopyEnds EndsOf(const void* to, const void* from, aclrtMemcpyKind kind) noexcept {
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
      return {false, false};
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
      return {false, true};
    case ACL_MEMCPY_DEVICE_TO_HOST:
      return {true, false};
    case ACL_MEMCPY_DEFAULT:
      return {Allocations::Instance().IsDevice(from), Allocations::Instance().IsDevice(to)};
    default:
      return {true, true};
  }
}

// `stream` is null for a copy that waits.
int CopyOnGpu(const char* function, const AclDevice& device, void* to, const void* from, size_t count, const CopyEnds& ends,
              const Stream* stream) noexcept {
  void* const device_stream = stream == nullptr ? nullptr : stream->device_stream;
  if (ends.from_device && ends.to_device) {
    if (stream != nullptr)
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyDtoDAsync_v2, (Address(to), Address(from), count, device_stream));
    else
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyDtoD_v2, (Address(to), Address(from), count));
  } else if (ends.to_device) {
    if (stream != nullptr)
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyHtoDAsync_v2, (Address(to), from, count, device_stream));
    else
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyHtoD_v2, (Address(to), from, count));
  } else {
    if (stream != nullptr)
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyDtoHAsync_v2, (to, Address(from), count, device_stream));
    else
      ROIPOOL_ACLNN_CUDA(function, device, cuMemcpyDtoH_v2, (to, Address(from), count));
  }
  return ACL_SUCCESS;
}

int Copy(const char* function, void* to, size_t capacity, const void* from, size_t count, aclrtMemcpyKind kind,
         const Stream* stream) noexcept {
  ROIPOOL_ACLNN_CHECK(count <= capacity, ACL_ERROR_INVALID_PARAM, "%s: count is %zu, must be at most destMax (%zu)", function,
                      count, capacity);
  ROIPOOL_ACLNN_CHECK(kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE, ACL_ERROR_INVALID_PARAM,
                      "%s: kind is %d, must be one of aclrtMemcpyKind, 0 to 7", function, static_cast<int>(kind));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckReach(function, "dst", to, count));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckReach(function, "src", from, count));
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(function, &device));
  const CopyEnds ends = EndsOf(to, from, kind);
  if (device.cuda == nullptr) {
    std::memmove(to, from, count);
    return ACL_SUCCESS;
  }
  // A host cannot follow a device's address, nor the driver a host's.
  ROIPOOL_ACLNN_CHECK(ends.to_device == Allocations::Instance().IsDevice(to), ACL_ERROR_RT_PARAM_INVALID,
                      "%s: dst is %p, which is %s memory, but kind is %d", function, to,
                      ends.to_device ? "no device" : "device", static_cast<int>(kind));
  ROIPOOL_ACLNN_CHECK(ends.from_device == Allocations::Instance().IsDevice(from), ACL_ERROR_RT_PARAM_INVALID,
                      "%s: src is %p, which is %s memory, but kind is %d", function, from,
                      ends.from_device ? "no device" : "device", static_cast<int>(kind));
  if (count == 0) return ACL_SUCCESS;
  if (ends.from_device || ends.to_device) return CopyOnGpu(function, device, to, from, count, ends, stream);
  // The host does it itself, in its turn.
  if (stream != nullptr) ROIPOOL_ACLNN_CUDA(function, device, cuStreamSynchronize, (stream->device_stream));
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
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
  if (device.cuda == nullptr) {
    std::memset(devPtr, value, count);
  } else if (count > 0) {
    ROIPOOL_ACLNN_CUDA(kFunction, device, cuMemsetD8_v2, (Address(devPtr), static_cast<unsigned char>(value), count));
  }
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind) {
  return Copy("aclrtMemcpy", dst, destMax, src, count, kind, nullptr);
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream) {
  constexpr const char* kFunction = "aclrtMemcpyAsync";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    const auto found = FindStream(stream);
    ROIPOOL_ACLNN_CHECK(found != nullptr, ACL_ERROR_RT_PARAM_INVALID, "%s: stream is no live stream; was it destroyed?",
                        kFunction);
    return Copy(kFunction, dst, destMax, src, count, kind, found.get());
  });
}
