#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "api.h"
#include "device_memory.h"
#include "driver_state.h"
#include "report.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

// The layout that the driver's ABI gives to the argument of cuMemcpy3D.
struct Copy3D {
  size_t src_x, src_y, src_z, src_lod;
  int src_type;
  const void* src_host;
  uint64_t src_device;
  void *src_array, *reserved0;
  size_t src_pitch, src_height;
  size_t dst_x, dst_y, dst_z, dst_lod;
  int dst_type;
  void* dst_host;
  uint64_t dst_device;
  void *dst_array, *reserved1;
  size_t dst_pitch, dst_height;
  size_t width, height, depth;
};

constexpr int kHostType = 1, kDeviceType = 2, kUnifiedType = 4;

struct Place {
  bool host;
  uint64_t address;
};

Place Device(uint64_t address) { return {false, address}; }
Place Host(const void* memory) { return {true, reinterpret_cast<uint64_t>(memory)}; }
// The addresses of device memory are none of the host's.
Place Unified(uint64_t address) { return {address < kGlobalBase, address}; }

struct Row {
  Place dst, src;
  size_t bytes;
};

struct Rows {
  const char* api;
  std::vector<Row> rows;
  std::vector<std::vector<uint8_t>> snapshots;
};

// The host's address of a place, null with a report if n bytes there are not all accessible; region: of device memory.
uint8_t* Find(const Place& place, size_t n, const char* api, Region** region) {
  *region = nullptr;
  if (!place.host) {
    *region = GlobalMemory().Range(place.address, n, api);
    return *region != nullptr ? (*region)->data + (place.address - (*region)->base) : nullptr;
  }
  if (place.address == 0 || place.address >= kGlobalBase) {
    Complain(Format("%s: 0x%lx is no address of host memory", api, place.address));
    return nullptr;
  }
  return reinterpret_cast<uint8_t*>(place.address);
}

bool CopyRow(const Row& row, const char* api) {
  if (row.bytes == 0) return true;
  Region *dst_region, *src_region;
  uint8_t* const dst = Find(row.dst, row.bytes, api, &dst_region);
  if (dst == nullptr) return false;
  const uint8_t* const src = Find(row.src, row.bytes, api, &src_region);
  if (src == nullptr) return false;
  std::memmove(dst, src, row.bytes);
  if (dst_region == nullptr) return true;
  const uint64_t to = row.dst.address - dst_region->base;
  if (src_region == nullptr || src_region->written.empty() || dst_region->written.empty()) {
    dst_region->MarkWritten(to, row.bytes);
    return true;
  }
  const uint64_t from = row.src.address - src_region->base;
  for (size_t i = 0; i < row.bytes; i++)
    if (src_region->AllWritten(from + i, 1)) dst_region->MarkWritten(to + i, 1);
  return true;
}

Status CopyRows(const Rows& rows) {
  for (const Row& row : rows.rows)
    if (!CopyRow(row, rows.api)) return kIllegalAddress;
  return kSuccess;
}

Status Check(const Rows& rows) {
  Region* region;
  for (const Row& row : rows.rows) {
    if (row.bytes == 0) continue;
    if (Find(row.dst, row.bytes, rows.api, &region) == nullptr) return kInvalidValue;
    if (Find(row.src, row.bytes, rows.api, &region) == nullptr) return kInvalidValue;
  }
  return kSuccess;
}

// As the driver does with host memory that is not pinned: what it holds at the time of the call counts.
void TakeSnapshots(Rows* rows) {
  for (Row& row : rows->rows) {
    if (!row.src.host || row.bytes == 0 || State().IsPinned(row.src.address)) continue;
    const auto* const bytes = reinterpret_cast<const uint8_t*>(row.src.address);
    rows->snapshots.emplace_back(bytes, bytes + row.bytes);
    row.src = Host(rows->snapshots.back().data());
  }
}

Status CopyLater(Rows rows, void* handle) {
  const auto stream = AllStreams().Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  const Status status = Check(rows);
  if (status != kSuccess) return status;
  TakeSnapshots(&rows);
  const auto shared = std::make_shared<const Rows>(std::move(rows));
  return AllStreams().Submit(stream, [shared] { return CopyRows(*shared); });
}

Status CopyNow(Rows rows) {
  const Status status = Check(rows);
  if (status != kSuccess) return status;
  const auto shared = std::make_shared<const Rows>(std::move(rows));
  return AllStreams().SubmitAndWait([shared] { return CopyRows(*shared); });
}

Rows OneRow(const char* api, Place dst, Place src, size_t bytes) { return {api, {{dst, src, bytes}}, {}}; }

bool IsKnown(int type) { return type == kHostType || type == kDeviceType || type == kUnifiedType; }

Place PlaceOf(int type, const void* host, uint64_t device, size_t offset) {
  if (type == kHostType) return Host(static_cast<const uint8_t*>(host) + offset);
  return type == kDeviceType ? Device(device + offset) : Unified(device + offset);
}

size_t BytesOf(const Copy3D* copy) { return copy != nullptr ? copy->width * copy->height * copy->depth : 0; }

Status RowsOf(const char* api, const Copy3D& copy, Rows* rows) {
  rows->api = api;
  if (!IsKnown(copy.src_type) || !IsKnown(copy.dst_type)) return kNotSupported;
  for (size_t z = 0; z < copy.depth; z++) {
    for (size_t y = 0; y < copy.height; y++) {
      const size_t src = ((copy.src_z + z) * copy.src_height + copy.src_y + y) * copy.src_pitch + copy.src_x;
      const size_t dst = ((copy.dst_z + z) * copy.dst_height + copy.dst_y + y) * copy.dst_pitch + copy.dst_x;
      rows->rows.push_back({PlaceOf(copy.dst_type, copy.dst_host, copy.dst_device, dst),
                            PlaceOf(copy.src_type, copy.src_host, copy.src_device, src), copy.width});
    }
  }
  return kSuccess;
}

template <typename T>
bool Fill(const char* api, uint64_t address, T value, size_t count) {
  if (count == 0) return true;
  Region* const region = GlobalMemory().Range(address, sizeof(T) * count, api);
  if (region == nullptr) return false;
  uint8_t* const bytes = region->data + (address - region->base);
  for (size_t i = 0; i < count; i++) std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
  region->MarkWritten(address - region->base, sizeof(T) * count);
  return true;
}

template <typename T>
Status FillLater(const char* api, uint64_t address, T value, size_t count, void* handle) {
  const auto stream = AllStreams().Find(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (count > 0 && GlobalMemory().Range(address, sizeof(T) * count, api) == nullptr) return kInvalidValue;
  return AllStreams().Submit(stream, [=] { return Fill(api, address, value, count) ? kSuccess : kIllegalAddress; });
}

}  // namespace

#define ENTER_SYNC(bytes) ENTER(kWorkingContext, "%zu bytes", static_cast<size_t>(bytes))
#define ENTER_ASYNC(bytes, stream) \
  ENTER(kWorkingContext, "%zu bytes stream %#zx", static_cast<size_t>(bytes), reinterpret_cast<size_t>(stream))

CUDA_API(cuMemcpy, (uint64_t dst, uint64_t src, size_t n)) {
  ENTER_SYNC(n);
  return CopyNow(OneRow("cuMemcpy", Unified(dst), Unified(src), n));
}

CUDA_API(cuMemcpyHtoD_v2, (uint64_t dst, const void* src, size_t n)) {
  ENTER_SYNC(n);
  return CopyNow(OneRow("cuMemcpyHtoD", Device(dst), Host(src), n));
}

CUDA_API(cuMemcpyDtoH_v2, (void* dst, uint64_t src, size_t n)) {
  ENTER_SYNC(n);
  return CopyNow(OneRow("cuMemcpyDtoH", Host(dst), Device(src), n));
}

CUDA_API(cuMemcpyDtoD_v2, (uint64_t dst, uint64_t src, size_t n)) {
  ENTER_SYNC(n);
  return CopyNow(OneRow("cuMemcpyDtoD", Device(dst), Device(src), n));
}

CUDA_API(cuMemcpyAsync, (uint64_t dst, uint64_t src, size_t n, void* stream)) {
  ENTER_ASYNC(n, stream);
  return CopyLater(OneRow("cuMemcpyAsync", Unified(dst), Unified(src), n), stream);
}

CUDA_API(cuMemcpyHtoDAsync_v2, (uint64_t dst, const void* src, size_t n, void* stream)) {
  ENTER_ASYNC(n, stream);
  return CopyLater(OneRow("cuMemcpyHtoDAsync", Device(dst), Host(src), n), stream);
}

CUDA_API(cuMemcpyDtoHAsync_v2, (void* dst, uint64_t src, size_t n, void* stream)) {
  ENTER_ASYNC(n, stream);
  return CopyLater(OneRow("cuMemcpyDtoHAsync", Host(dst), Device(src), n), stream);
}

CUDA_API(cuMemcpyDtoDAsync_v2, (uint64_t dst, uint64_t src, size_t n, void* stream)) {
  ENTER_ASYNC(n, stream);
  return CopyLater(OneRow("cuMemcpyDtoDAsync", Device(dst), Device(src), n), stream);
}

CUDA_API(cuMemcpy3D_v2, (const Copy3D* copy)) {
  ENTER_SYNC(BytesOf(copy));
  if (copy == nullptr) return kInvalidValue;
  Rows rows;
  const Status status = RowsOf("cuMemcpy3D", *copy, &rows);
  return status != kSuccess ? status : CopyNow(std::move(rows));
}

CUDA_API(cuMemcpy3DAsync_v2, (const Copy3D* copy, void* stream)) {
  ENTER_ASYNC(BytesOf(copy), stream);
  if (copy == nullptr) return kInvalidValue;
  Rows rows;
  const Status status = RowsOf("cuMemcpy3DAsync", *copy, &rows);
  return status != kSuccess ? status : CopyLater(std::move(rows), stream);
}

// The manual lets these return before the memory is set.
CUDA_API(cuMemsetD8_v2, (uint64_t dst, unsigned char value, size_t n)) {
  ENTER_SYNC(n);
  return FillLater("cuMemsetD8", dst, value, n, nullptr);
}

CUDA_API(cuMemsetD16_v2, (uint64_t dst, unsigned short value, size_t n)) {
  ENTER_SYNC(2 * n);
  return FillLater("cuMemsetD16", dst, value, n, nullptr);
}

CUDA_API(cuMemsetD32_v2, (uint64_t dst, unsigned value, size_t n)) {
  ENTER_SYNC(4 * n);
  return FillLater("cuMemsetD32", dst, value, n, nullptr);
}

CUDA_API(cuMemsetD8Async, (uint64_t dst, unsigned char value, size_t n, void* stream)) {
  ENTER_ASYNC(n, stream);
  return FillLater("cuMemsetD8Async", dst, value, n, stream);
}

CUDA_API(cuMemsetD16Async, (uint64_t dst, unsigned short value, size_t n, void* stream)) {
  ENTER_ASYNC(2 * n, stream);
  return FillLater("cuMemsetD16Async", dst, value, n, stream);
}

CUDA_API(cuMemsetD32Async, (uint64_t dst, unsigned value, size_t n, void* stream)) {
  ENTER_ASYNC(4 * n, stream);
  return FillLater("cuMemsetD32Async", dst, value, n, stream);
}
