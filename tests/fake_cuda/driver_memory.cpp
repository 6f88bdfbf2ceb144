#include <cstdlib>
#include <cstring>
#include <memory>

#include "api.h"
#include "device_memory.h"
#include "driver_state.h"
#include "report.h"
#include "settings.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

enum PointerAttribute {
  kContext = 1,
  kMemoryType = 2,
  kDevicePointer = 3,
  kHostPointer = 4,
  kIsManaged = 8,
  kDeviceOrdinal = 9,
  kRangeStart = 11,
  kRangeSize = 12,
  kMapped = 13,
};
constexpr unsigned kHostMemory = 1, kDeviceMemory = 2;

Status Allocate(uint64_t* address, size_t bytes) {
  static uint64_t count = 0;
  if (address == nullptr || bytes == 0) return kInvalidValue;
  const Region* region = GlobalMemory().Create(bytes, Format("allocation #%lu", ++count));
  if (region == nullptr) return kOutOfMemory;
  if (CurrentSettings().verbose) Say(Format("%s: %zu bytes at 0x%lx", region->name.c_str(), bytes, region->base));
  *address = region->base;
  return kSuccess;
}

// Null, with a report: nothing that can be freed starts there.
Region* Allocation(const char* api, uint64_t address) {
  Region* const region = GlobalMemory().Near(address);
  if (region != nullptr && !region->freed && region->base == address) return region;
  const bool inside = region != nullptr && !region->freed;
  Complain(std::string(api) + ": " + (inside ? "not the start of " + region->name : GlobalMemory().Explain(address, 1)));
  return nullptr;
}

// Null: not in a live allocation.
const Region* Holding(uint64_t address) {
  const Region* region = GlobalMemory().Near(address);
  return region != nullptr && !region->freed && address - region->base < region->size ? region : nullptr;
}

Status AllocateHost(void** memory, size_t bytes) {
  if (memory == nullptr || bytes == 0) return kInvalidValue;
  constexpr size_t kPage = 4096;
  const size_t rounded = (bytes + kPage - 1) / kPage * kPage;
  *memory = rounded < bytes ? nullptr : std::aligned_alloc(kPage, rounded);
  if (*memory == nullptr) return kOutOfMemory;
  State().pinned[reinterpret_cast<uint64_t>(*memory)] = {bytes, true};
  return kSuccess;
}

// Forgets pinned memory that starts there. False: there is none that came about in this way.
bool Unpin(void* memory, bool is_allocation) {
  const auto found = State().pinned.find(reinterpret_cast<uint64_t>(memory));
  if (found == State().pinned.end() || found->second.is_allocation != is_allocation) return false;
  State().pinned.erase(found);
  return true;
}

template <typename T>
Status Put(void* result, T value) {
  std::memcpy(result, &value, sizeof value);
  return kSuccess;
}

Status Describe(void* result, int attribute, uint64_t address) {
  const Region* const region = Holding(address);
  const auto pinned = State().PinnedRange(address);
  if (region == nullptr && pinned == State().pinned.end()) return kInvalidValue;
  switch (attribute) {
    case kContext:
      return Put<void*>(result, &State().context);
    case kMemoryType:
      return Put(result, region != nullptr ? kDeviceMemory : kHostMemory);
    case kDevicePointer:
      return region != nullptr ? Put(result, address) : kInvalidValue;
    case kHostPointer:
      return region == nullptr ? Put(result, address) : kInvalidValue;
    case kIsManaged:
      return Put(result, false);
    case kDeviceOrdinal:
      return Put(result, 0);
    case kRangeStart:
      return Put(result, region != nullptr ? region->base : pinned->first);
    case kRangeSize:
      return Put<size_t>(result, region != nullptr ? region->size : pinned->second.size);
    case kMapped:
      return Put(result, true);
    default:
      return kNotSupported;
  }
}

// The value for memory that the driver does not know.
Status DescribeUnknown(void* result, int attribute) {
  switch (attribute) {
    case kMemoryType:
      return Put(result, 0u);
    case kDeviceOrdinal:
      return Put(result, -2);
    case kIsManaged:
    case kMapped:
      return Put(result, false);
    case kContext:
    case kDevicePointer:
    case kHostPointer:
    case kRangeStart:
    case kRangeSize:
      return Put<uint64_t>(result, 0);
    default:
      return kNotSupported;
  }
}

}  // namespace

CUDA_API(cuMemAlloc_v2, (uint64_t* address, size_t bytes)) {
  ENTER(kWorkingContext, "%zu bytes", bytes);
  return Allocate(address, bytes);
}

CUDA_API(cuMemAllocAsync, (uint64_t* address, size_t bytes, void* stream)) {
  ENTER(kWorkingContext, "%zu bytes stream %#zx", bytes, reinterpret_cast<size_t>(stream));
  if (AllStreams().Find(stream) == nullptr) return kInvalidHandle;
  return Allocate(address, bytes);
}

CUDA_API(cuMemFree_v2, (uint64_t address)) {
  ENTER(kWorkingContext);
  if (address == 0) return kSuccess;
  const Status status = AllStreams().WaitForAll();
  if (status != kSuccess) return status;
  Region* const region = Allocation("cuMemFree", address);
  if (region == nullptr) return kInvalidValue;
  GlobalMemory().Release(region);
  return kSuccess;
}

CUDA_API(cuMemFreeAsync, (uint64_t address, void* handle)) {
  ENTER(kWorkingContext, "stream %#zx", reinterpret_cast<size_t>(handle));
  const auto stream = AllStreams().Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (address == 0) return kSuccess;
  Region* const asked_for = Allocation("cuMemFreeAsync", address);
  if (asked_for == nullptr) return kInvalidValue;
  asked_for->free_is_queued = true;
  // Until the work is done, or dropped.
  const std::shared_ptr<Region> queued(asked_for, [](Region* region) { region->free_is_queued = false; });
  return AllStreams().Submit(stream, [address, queued] {
    Region* const region = Allocation("cuMemFreeAsync", address);
    if (region == nullptr) return kIllegalAddress;
    GlobalMemory().Release(region);
    return kSuccess;
  });
}

CUDA_API(cuMemGetInfo_v2, (size_t* free_bytes, size_t* total)) {
  ENTER(kWorkingContext);
  *total = CurrentSettings().mem_mb << 20;
  *free_bytes = *total - GlobalMemory().used;
  return kSuccess;
}

CUDA_API(cuMemGetAddressRange_v2, (uint64_t* base, size_t* size, uint64_t address)) {
  ENTER(kWorkingContext);
  const Region* region = Holding(address);
  if (region == nullptr) return kNotFound;
  if (base != nullptr) *base = region->base;
  if (size != nullptr) *size = region->size;
  return kSuccess;
}

CUDA_API(cuMemAllocHost_v2, (void** memory, size_t bytes)) {
  ENTER(kWorkingContext, "%zu bytes", bytes);
  return AllocateHost(memory, bytes);
}

CUDA_API(cuMemHostAlloc, (void** memory, size_t bytes, unsigned)) {
  ENTER(kWorkingContext, "%zu bytes", bytes);
  return AllocateHost(memory, bytes);
}

CUDA_API(cuMemFreeHost, (void* memory)) {
  ENTER(kWorkingContext);
  const Status status = AllStreams().WaitForAll();
  if (status != kSuccess) return status;
  if (!Unpin(memory, true)) {
    Complain(Format("cuMemFreeHost: %p is not the start of host memory of the driver", memory));
    return kInvalidValue;
  }
  std::free(memory);
  return kSuccess;
}

CUDA_API(cuMemHostRegister_v2, (void* memory, size_t bytes, unsigned)) {
  ENTER(kWorkingContext, "%zu bytes", bytes);
  if (memory == nullptr || bytes == 0) return kInvalidValue;
  State().pinned[reinterpret_cast<uint64_t>(memory)] = {bytes, false};
  return kSuccess;
}

CUDA_API(cuMemHostUnregister, (void* memory)) {
  ENTER(kWorkingContext);
  const Status status = AllStreams().WaitForAll();
  if (status != kSuccess) return status;
  return Unpin(memory, false) ? kSuccess : kInvalidValue;
}

CUDA_API(cuPointerGetAttribute, (void* result, int attribute, uint64_t address)) {
  ENTER(kInitialized, "attribute %d", attribute);
  return Describe(result, attribute, address);
}

CUDA_API(cuPointerGetAttributes, (unsigned count, int* attributes, void** results, uint64_t address)) {
  ENTER(kInitialized);
  const bool known = Holding(address) != nullptr || State().IsPinned(address);
  for (unsigned i = 0; i < count; i++) {
    Status status = known ? Describe(results[i], attributes[i], address) : kInvalidValue;
    if (status == kInvalidValue) status = DescribeUnknown(results[i], attributes[i]);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}
