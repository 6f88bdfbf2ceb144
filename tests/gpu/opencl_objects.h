// A context and a queue of the caller's, and memory objects in them.
#ifndef ROIPOOL_TESTS_GPU_OPENCL_OBJECTS_H_
#define ROIPOOL_TESTS_GPU_OPENCL_OBJECTS_H_

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grad_case.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "roipool/options.h"
#include "tensor.h"

namespace roipool::test {

template <typename Result = int, typename... Parameters>
Result CallOpenCl(const char* name, Parameters... parameters) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
  return reinterpret_cast<Result (*)(Parameters...)>(dlsym(library, name))(parameters...);
}

class MemoryObjects : public PerKernel {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Released at the end of the test.
  void* Make(size_t size, const void* contents = nullptr);
  void* Make(const Tensor& tensor) { return Make(tensor.Bytes().size(), tensor.Bytes().data()); }
  /// A sub-buffer.
  void* MakePart(void* object, size_t begin, size_t size);
  void Write(void* object, const Tensor& tensor);
  void Read(void* object, Tensor& tensor);

  Options InOwnQueue() const;
  /// The problem's arguments with its tensors in memory objects.
  RoiPoolGradArgs Upload(GradProblem& problem);
  RoiPoolArgs Upload(PoolProblem& problem);

  void *device_ = nullptr, *context_ = nullptr, *queue_ = nullptr;
  std::vector<void*> objects_;  ///< Released at the end.
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_GPU_OPENCL_OBJECTS_H_
