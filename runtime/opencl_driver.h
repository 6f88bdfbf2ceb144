// OpenCL, opened at run time, and the context and queue of this library's own for callers who bring host memory.
#ifndef ROIPOOL_RUNTIME_OPENCL_DRIVER_H_
#define ROIPOOL_RUNTIME_OPENCL_DRIVER_H_

#include <cstddef>
#include <cstdint>

#include "roipool/status.h"

namespace roipool::internal {

// clang-format off: (name, what it returns, parameters). OpenCL's handles are pointers.
#define ROIPOOL_OPENCL_FUNCTIONS(FUNCTION)                                                                     \
  FUNCTION(clGetPlatformIDs, int, (unsigned, void**, unsigned*))                                               \
  FUNCTION(clGetDeviceIDs, int, (void*, uint64_t, unsigned, void**, unsigned*))                                \
  FUNCTION(clGetDeviceInfo, int, (void*, unsigned, size_t, void*, size_t*))                                    \
  FUNCTION(clGetContextInfo, int, (void*, unsigned, size_t, void*, size_t*))                                   \
  FUNCTION(clCreateContext, void*, (const intptr_t*, unsigned, void* const*, void*, void*, int*))              \
  FUNCTION(clCreateCommandQueue, void*, (void*, void*, uint64_t, int*))                                        \
  FUNCTION(clCreateBuffer, void*, (void*, uint64_t, size_t, void*, int*))                                      \
  FUNCTION(clReleaseMemObject, int, (void*))                                                                   \
  FUNCTION(clReleaseCommandQueue, int, (void*))                                                                \
  FUNCTION(clReleaseContext, int, (void*))                                                                     \
  FUNCTION(clGetMemObjectInfo, int, (const void*, unsigned, size_t, void*, size_t*))                           \
  FUNCTION(clEnqueueReadBuffer, int, (void*, void*, unsigned, size_t, size_t, void*, unsigned, void*, void*))  \
  FUNCTION(clEnqueueWriteBuffer, int, (void*, void*, unsigned, size_t, size_t, const void*, unsigned, void*, void*)) \
  FUNCTION(clFinish, int, (void*))
// clang-format on

// NOLINTBEGIN(readability-identifier-naming): the names of the library that is opened.
struct OpenClDriver {
#define ROIPOOL_OPENCL_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
  ROIPOOL_OPENCL_FUNCTIONS(ROIPOOL_OPENCL_MEMBER)
#undef ROIPOOL_OPENCL_MEMBER
};
// NOLINTEND(readability-identifier-naming)

/// A context and an in-order queue of it.
struct OpenClQueue {
  void* context = nullptr;
  void* queue = nullptr;
};

/// kUnsupported, with what is missing, where OpenCL cannot be loaded. Thread-safe.
Status OpenOpenClDriver(const char* function, const OpenClDriver** driver) noexcept;

/// The library's own queue, made on first use, on the first device that has what the kernels need, a GPU if there is one.
/// kUnsupported without such a device; kOutOfMemory or kDeviceError if it fails, and the next call tries again. Thread-safe.
Status OwnOpenClQueue(const char* function, OpenClQueue* queue) noexcept;

/// An in-order queue on the first device of a context.
Status NewOpenClQueue(const char* function, void* context, void** queue) noexcept;

/// kOk, kOutOfMemory or kDeviceError, which names the function that returned `error`.
Status OpenClStatus(const char* function, const char* call, int error) noexcept;

/// Returns a Status unless `driver->call arguments` returns 0.
#define ROIPOOL_OPENCL_CALL(function, driver, call, arguments)           \
  do {                                                                   \
    if (const int error_ = (driver)->call arguments; error_ != 0)        \
      return ::roipool::internal::OpenClStatus(function, #call, error_); \
  } while (false)

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_OPENCL_DRIVER_H_
