// Small PTX kernels, loaded and launched.
#ifndef ROIPOOL_TESTS_FAKE_CUDA_KERNEL_H_
#define ROIPOOL_TESTS_FAKE_CUDA_KERNEL_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "driver_api.h"
#include "environment.h"
#include "fake_cuda.h"

namespace roipool::fake_cuda {

enum Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotPermitted = 800,
  kNotSupported = 801,
};

// PTX of a kernel k(p, n) with the given body; %rd1 is p, %r1 is tid.x + ctaid.x * ntid.x, %r2 is n, %rd2 is &p[%r1] of 4 bytes
// each, %r3, %r4 and %r5 are ctaid.x, ntid.x and tid.x.
std::string KernelSource(const std::string& body, const std::string& globals = "");

// A context, no settings but the defaults, and nothing left of other tests.
class FakeCuda : public testing::Test {
 protected:
  FakeCuda();
  ~FakeCuda() override;

  // Settings for the rest of the test.
  void Set(const char* name, const char* value);
  std::string Log() const;

 private:
  std::vector<std::unique_ptr<test::ScopedEnvironment>> environment_;
  void* context_ = nullptr;
};

struct Outcome {
  int load, launch;
  std::vector<uint32_t> memory;
};
struct Shape {
  unsigned grid = 1, block = 1, n = 0, shared = 0, elements = 0;  // elements 0: one for each thread
};
// Loads and launches k on memory that holds 0, 1, 2, ...
Outcome RunSource(const std::string& source, const Shape& shape);
inline Outcome RunBody(const std::string& body, const Shape& shape) { return RunSource(KernelSource(body), shape); }
// What thread 0 stores from %r10; 0xdeadbeef if the launch fails.
uint32_t ValueOf(const std::string& body);

uint32_t Bits(float value);
// As a literal of PTX.
std::string Literal(float value);

// A loaded kernel k.
class Kernel {
 public:
  explicit Kernel(const std::string& body);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  int Launch(uint64_t memory, const Shape& shape, void* stream = nullptr) const;

 private:
  void* module_ = nullptr;
  void* function_ = nullptr;
};

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_KERNEL_H_
