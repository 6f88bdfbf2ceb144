#ifndef ROIPOOL_TESTS_FAKE_CUDA_TYPES_H_
#define ROIPOOL_TESTS_FAKE_CUDA_TYPES_H_

#include <cstdint>
#include <string>

namespace roipool::fake_cuda {

using Uint128 = unsigned __int128;
using Int128 = __int128;

// The driver API's results; their values are part of its ABI.
enum Status : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotPermitted = 800,
  kNotSupported = 801,
};

// The types of PTX.
enum Type : uint8_t { kNone, kPred, kB8, kB16, kB32, kB64, kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64, kF16, kF32, kF64 };

// Null if there is no such result.
const char* StatusName(int status);

constexpr int TypeSize(Type type) {
  constexpr int8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
  return sizes[type];
}
static_assert(TypeSize(kNone) == 0 && TypeSize(kU8) == 1 && TypeSize(kS16) == 2 && TypeSize(kB64) == 8 && TypeSize(kF64) == 8);
Type TypeNamed(const std::string& name);
inline bool IsSigned(Type t) { return t >= kS8 && t <= kS64; }
inline bool IsFloat(Type t) { return t >= kF16; }

inline uint64_t MaskOf(int bytes) { return bytes >= 8 ? ~0ull : (1ull << (8 * bytes)) - 1; }

inline int64_t SignExtend(uint64_t v, int bytes) {
  int s = 64 - 8 * bytes;
  return static_cast<int64_t>(v << s) >> s;
}

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_TYPES_H_
