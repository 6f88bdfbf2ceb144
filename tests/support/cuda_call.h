// The functions of the CUDA driver by name: of the one that is installed, or stands in for it.
#ifndef ROIPOOL_TESTS_SUPPORT_CUDA_CALL_H_
#define ROIPOOL_TESTS_SUPPORT_CUDA_CALL_H_

#include <dlfcn.h>

namespace roipool::test {

/// Null if there is no driver, or it has no such function.
inline void* CudaFunction(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  return library == nullptr ? nullptr : dlsym(library, name);
}

/// What the function returns, or -1 if there is none.
template <typename... Parameters>
int CallCuda(const char* name, Parameters... parameters) {
  const auto function = reinterpret_cast<int (*)(Parameters...)>(CudaFunction(name));
  return function == nullptr ? -1 : function(parameters...);
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_CUDA_CALL_H_
