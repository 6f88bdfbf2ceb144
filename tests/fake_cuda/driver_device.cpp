#include <cstdio>
#include <cstring>

#include "api.h"
#include "driver_state.h"
#include "settings.h"

using namespace roipool::fake_cuda;

namespace {

constexpr int kDriverVersion = 12000;

int Attribute(int number) {
  switch (number) {
    case 1:
      return 1024;  // threads per block
    case 2:
    case 3:
      return 1024;  // block dimensions
    case 4:
      return 64;
    case 5:
      return 0x7fffffff;  // grid dimensions
    case 6:
    case 7:
      return 65535;
    case 8:
      return static_cast<int>(CurrentSettings().shared_max);  // shared memory per block
    case 9:
      return 65536;  // constant memory
    case 10:
      return 32;  // warp size
    case 11:
      return 0x7fffffff;  // pitch
    case 12:
      return 65536;  // registers per block
    case 13:
      return 1000000;  // clock, kHz
    case 14:
      return 512;  // texture alignment
    case 16:
      return 1;  // multiprocessors
    case 36:
      return 1000000;  // memory clock
    case 37:
      return 64;  // bus width
    case 38:
      return 1 << 20;  // L2 cache
    case 39:
      return 2048;  // threads per multiprocessor
    case 41:
      return 1;  // unified addressing
    case 75:
      return CurrentSettings().cc_major;
    case 76:
      return CurrentSettings().cc_minor;
    case 81:
      return static_cast<int>(CurrentSettings().shared_max);
    case 82:
      return 65536;
    case 115:
      return 1;  // cuMemAllocAsync
    default:
      return 0;
  }
}

}  // namespace

CUDA_API(cuInit, (unsigned flags)) {
  ENTER(kNothing);
  if (flags != 0) return kInvalidValue;
  State().initialized = true;
  return kSuccess;
}

CUDA_API(cuDriverGetVersion, (int* version)) {
  ENTER(kNothing);
  if (version == nullptr) return kInvalidValue;
  *version = kDriverVersion;
  return kSuccess;
}

CUDA_API(cuGetErrorName, (int status, const char** name)) {
  ENTER(kNothing);
  *name = StatusName(status);
  return *name != nullptr ? kSuccess : kInvalidValue;
}

CUDA_API(cuGetErrorString, (int status, const char** text)) {
  ENTER(kNothing);
  *text = StatusName(status);
  return *text != nullptr ? kSuccess : kInvalidValue;
}

CUDA_API(cuDeviceGetCount, (int* count)) {
  ENTER(kInitialized);
  *count = 1;
  return kSuccess;
}

CUDA_API(cuDeviceGet, (int* device, int ordinal)) {
  ENTER(kInitialized);
  if (ordinal != 0) return kInvalidDevice;
  *device = 0;
  return kSuccess;
}

CUDA_API(cuDeviceGetName, (char* name, int length, int device)) {
  ENTER(kInitialized);
  if (device != 0 || length < 1) return kInvalidDevice;
  std::snprintf(name, static_cast<size_t>(length), "fake_cuda PTX interpreter");
  return kSuccess;
}

CUDA_API(cuDeviceGetUuid, (unsigned char* uuid, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  std::memcpy(uuid, "fake_cuda device", 16);
  return kSuccess;
}

CUDA_API(cuDeviceGetUuid_v2, (unsigned char* uuid, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  std::memcpy(uuid, "fake_cuda device", 16);
  return kSuccess;
}

CUDA_API(cuDeviceGetPCIBusId, (char* id, int length, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  if (length < 13) return kInvalidValue;
  std::snprintf(id, static_cast<size_t>(length), "0000:00:00.0");
  return kSuccess;
}

CUDA_API(cuDeviceGetAttribute, (int* value, int attribute, int device)) {
  ENTER(kInitialized, "attribute %d", attribute);
  if (device != 0) return kInvalidDevice;
  *value = Attribute(attribute);
  return kSuccess;
}

CUDA_API(cuDeviceTotalMem_v2, (size_t* bytes, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  *bytes = CurrentSettings().mem_mb << 20;
  return kSuccess;
}

CUDA_API(cuDeviceComputeCapability, (int* major, int* minor, int device)) {
  ENTER(kInitialized);
  if (device != 0) return kInvalidDevice;
  *major = CurrentSettings().cc_major;
  *minor = CurrentSettings().cc_minor;
  return kSuccess;
}

CUDA_API(cuProfilerStart, ()) {
  ENTER(kNothing);
  return kSuccess;
}

CUDA_API(cuProfilerStop, ()) {
  ENTER(kNothing);
  return kSuccess;
}
