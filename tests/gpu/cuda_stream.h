// A stream of the test's own.
#ifndef ROIPOOL_TESTS_GPU_CUDA_STREAM_H_
#define ROIPOOL_TESTS_GPU_CUDA_STREAM_H_

#include <gtest/gtest.h>

#include "cuda_call.h"

namespace roipool::test {

class CudaStream {
 public:
  CudaStream() { EXPECT_EQ(CallCuda("cuStreamCreate", &handle_, 1u), 0); }  // Waits for no other.
  ~CudaStream() { EXPECT_EQ(CallCuda("cuStreamDestroy_v2", handle_), 0); }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void* handle() const { return handle_; }
  bool IsDone() const { return CallCuda("cuStreamQuery", handle_) == 0; }

 private:
  void* handle_ = nullptr;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_GPU_CUDA_STREAM_H_
