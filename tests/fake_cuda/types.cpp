#include "types.h"

#include <unordered_map>

namespace roipool::fake_cuda {

Type TypeNamed(const std::string& s) {
  static const std::unordered_map<std::string, Type> m = {
      {"pred", kPred}, {"b8", kB8}, {"b16", kB16}, {"b32", kB32}, {"b64", kB64}, {"u8", kU8},   {"u16", kU16}, {"u32", kU32},
      {"u64", kU64},   {"s8", kS8}, {"s16", kS16}, {"s32", kS32}, {"s64", kS64}, {"f16", kF16}, {"f32", kF32}, {"f64", kF64}};
  auto it = m.find(s);
  return it == m.end() ? kNone : it->second;
}

const char* StatusName(int status) {
  switch (status) {
    case kSuccess:
      return "CUDA_SUCCESS";
    case kInvalidValue:
      return "CUDA_ERROR_INVALID_VALUE";
    case kOutOfMemory:
      return "CUDA_ERROR_OUT_OF_MEMORY";
    case kNotInitialized:
      return "CUDA_ERROR_NOT_INITIALIZED";
    case kInvalidDevice:
      return "CUDA_ERROR_INVALID_DEVICE";
    case kInvalidImage:
      return "CUDA_ERROR_INVALID_IMAGE";
    case kInvalidContext:
      return "CUDA_ERROR_INVALID_CONTEXT";
    case kNoBinaryForGpu:
      return "CUDA_ERROR_NO_BINARY_FOR_GPU";
    case kInvalidPtx:
      return "CUDA_ERROR_INVALID_PTX";
    case kInvalidHandle:
      return "CUDA_ERROR_INVALID_HANDLE";
    case kNotFound:
      return "CUDA_ERROR_NOT_FOUND";
    case kNotReady:
      return "CUDA_ERROR_NOT_READY";
    case kIllegalAddress:
      return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case kLaunchOutOfResources:
      return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    case kLaunchTimeout:
      return "CUDA_ERROR_LAUNCH_TIMEOUT";
    case kIllegalInstruction:
      return "CUDA_ERROR_ILLEGAL_INSTRUCTION";
    case kMisalignedAddress:
      return "CUDA_ERROR_MISALIGNED_ADDRESS";
    case kLaunchFailed:
      return "CUDA_ERROR_LAUNCH_FAILED";
    case kNotPermitted:
      return "CUDA_ERROR_NOT_PERMITTED";
    case kNotSupported:
      return "CUDA_ERROR_NOT_SUPPORTED";
    default:
      return nullptr;
  }
}

}  // namespace roipool::fake_cuda
