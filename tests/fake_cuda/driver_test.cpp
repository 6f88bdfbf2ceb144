// What the driver API itself refuses and reports.
#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using Driver = FakeCuda;

TEST_F(Driver, RefusesNonsense) { EXPECT_EQ(RunSource(".version 6.0\n.target sm_70\n.nonsense\n", {}).load, kInvalidPtx); }

TEST_F(Driver, RefusesABinary) { EXPECT_EQ(RunSource("\177ELF", {}).load, kNoBinaryForGpu); }

TEST_F(Driver, RefusesAModuleForANewerDevice) {
  const std::string source = ".version 6.0\n.target sm_80\n.address_size 64\n";
  EXPECT_EQ(RunSource(".version 6.0\n.target sm_120\n.address_size 64\n", {}).load, kNoBinaryForGpu);
  Set("FAKE_CUDA_CC", "7.5");
  EXPECT_EQ(RunSource(source, {}).load, kNoBinaryForGpu);
  int major = 0, minor = 0;
  EXPECT_EQ(cuDeviceGetAttribute(&major, 75, 0), kSuccess);
  EXPECT_EQ(cuDeviceGetAttribute(&minor, 76, 0), kSuccess);
  EXPECT_EQ(major * 10 + minor, 75);
}

TEST_F(Driver, RefusesABlockThatIsTooLarge) { EXPECT_EQ(RunBody("", {1, 1025, 0, 0, 1}).launch, kInvalidValue); }

TEST_F(Driver, RefusesTooMuchSharedMemory) { EXPECT_EQ(RunBody("", {1, 1, 0, 49153}).launch, kInvalidValue); }

TEST_F(Driver, RefusesWrongCopiesAndFrees) {
  uint64_t memory;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 16), kSuccess);
  char bytes[32] = {};
  EXPECT_EQ(cuMemcpyHtoD_v2(memory, bytes, 32), kInvalidValue);
  EXPECT_EQ(cuMemcpyDtoH_v2(bytes, memory + 4, 16), kInvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(reinterpret_cast<uint64_t>(bytes), bytes, 4), kInvalidValue) << "a host pointer";
  EXPECT_EQ(cuMemcpyDtoH_v2(reinterpret_cast<void*>(memory), memory, 4), kInvalidValue) << "a device pointer";
  EXPECT_EQ(cuMemFree_v2(memory + 4), kInvalidValue) << "the middle";
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  EXPECT_EQ(cuMemFree_v2(memory), kInvalidValue) << "twice";
  EXPECT_EQ(cuMemcpyDtoH_v2(bytes, memory, 4), kInvalidValue) << "use after free";
}

TEST_F(Driver, RefusesStaleModulesAndKernels) {
  void *module, *function;
  ASSERT_EQ(cuModuleLoadData(&module, KernelSource("").c_str()), kSuccess);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), kSuccess);
  ASSERT_EQ(cuModuleUnload(module), kSuccess);
  EXPECT_EQ(cuModuleUnload(module), kInvalidHandle);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), kInvalidHandle);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), kInvalidHandle);
}

TEST_F(Driver, RunsOutOfMemory) {
  Set("FAKE_CUDA_MEM_MB", "1");
  uint64_t memory;
  EXPECT_EQ(cuMemAlloc_v2(&memory, (1 << 20) + 1), kOutOfMemory);
}

TEST_F(Driver, ReportsLeaks) {
  Set("FAKE_CUDA_LEAK", "error");
  uint64_t memory;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 12345), kSuccess);
  void* context;
  ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), kSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "not the last reference";
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), kSuccess);
}

}  // namespace
}  // namespace roipool::fake_cuda
