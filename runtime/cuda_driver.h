// NVIDIA's driver, opened at run time: a machine without it runs everything else.
#ifndef ROIPOOL_RUNTIME_CUDA_DRIVER_H_
#define ROIPOOL_RUNTIME_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>

#include "roipool/status.h"

namespace roipool::internal {

// clang-format off: (name in the driver, parameters). The driver's types are pointers, but for device memory and devices.
#define ROIPOOL_CUDA_FUNCTIONS(FUNCTION)                                           \
  FUNCTION(cuInit, (unsigned))                                                     \
  FUNCTION(cuGetErrorName, (int, const char**))                                    \
  FUNCTION(cuDeviceGetCount, (int*))                                               \
  FUNCTION(cuDeviceGet, (int*, int))                                               \
  FUNCTION(cuDevicePrimaryCtxRetain, (void**, int))                                \
  FUNCTION(cuCtxGetCurrent, (void**))                                              \
  FUNCTION(cuCtxPushCurrent_v2, (void*))                                           \
  FUNCTION(cuCtxPopCurrent_v2, (void**))                                           \
  FUNCTION(cuCtxSynchronize, ())                                                   \
  FUNCTION(cuMemAlloc_v2, (uint64_t*, size_t))                                     \
  FUNCTION(cuMemFree_v2, (uint64_t))                                               \
  FUNCTION(cuMemHostAlloc, (void**, size_t, unsigned))                             \
  FUNCTION(cuMemFreeHost, (void*))                                                 \
  FUNCTION(cuMemcpyHtoD_v2, (uint64_t, const void*, size_t))                       \
  FUNCTION(cuMemcpyDtoH_v2, (void*, uint64_t, size_t))                             \
  FUNCTION(cuMemcpyDtoD_v2, (uint64_t, uint64_t, size_t))                          \
  FUNCTION(cuMemcpyHtoDAsync_v2, (uint64_t, const void*, size_t, void*))           \
  FUNCTION(cuMemcpyDtoHAsync_v2, (void*, uint64_t, size_t, void*))                 \
  FUNCTION(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, void*))              \
  FUNCTION(cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                       \
  FUNCTION(cuStreamCreate, (void**, unsigned))                                     \
  FUNCTION(cuStreamDestroy_v2, (void*))                                            \
  FUNCTION(cuStreamQuery, (void*))                                                 \
  FUNCTION(cuStreamSynchronize, (void*))
// clang-format on

// NOLINTBEGIN(readability-identifier-naming): the names of the library that is opened.
/// The functions that this library calls; the names are the driver's.
struct CudaDriver {
#define ROIPOOL_CUDA_MEMBER(name, parameters) int(*name) parameters = nullptr;
  ROIPOOL_CUDA_FUNCTIONS(ROIPOOL_CUDA_MEMBER)
#undef ROIPOOL_CUDA_MEMBER
};
// NOLINTEND(readability-identifier-naming)

/// The driver, initialized. kUnsupported, with what is missing, where there is no driver or no device. Thread-safe.
Status OpenCudaDriver(const char* function, const CudaDriver** driver) noexcept;

/// kOk, kOutOfMemory or kDeviceError, which names the driver's function that returned `error`.
Status CudaStatus(const char* function, const char* call, int error) noexcept;

/// The context that is current in this thread; kInvalidState, with the `option` that could name one, if there is none.
Status CurrentCudaContext(const char* function, const char* option, void** context) noexcept;

/// Makes a context current in this thread, and the one before it again.
class CudaContextScope {
 public:
  CudaContextScope(const CudaDriver& driver, void* context) noexcept
      : driver_(driver), error_(driver.cuCtxPushCurrent_v2(context)) {}
  ~CudaContextScope() {
    void* context = nullptr;
    if (error_ == 0) driver_.cuCtxPopCurrent_v2(&context);
  }
  CudaContextScope(const CudaContextScope&) = delete;
  CudaContextScope& operator=(const CudaContextScope&) = delete;

  int error() const noexcept { return error_; }

 private:
  const CudaDriver& driver_;
  int error_;
};

/// Returns a Status unless `driver->call arguments` returns 0: ROIPOOL_CUDA_CALL(function, driver, cuMemFree_v2, (address)).
#define ROIPOOL_CUDA_CALL(function, driver, call, arguments)           \
  do {                                                                 \
    if (const int error_ = (driver)->call arguments; error_ != 0)      \
      return ::roipool::internal::CudaStatus(function, #call, error_); \
  } while (false)

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CUDA_DRIVER_H_
