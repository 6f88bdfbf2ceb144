// What the driver API itself refuses and reports.
#include <cstdlib>

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

TEST_F(Driver, ReportsLeaksWhenTheContextEnds) {
  Set("FAKE_CUDA_LEAK", "error");
  uint64_t memory, freed;
  void* pinned;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 12345), kSuccess);
  ASSERT_EQ(cuMemAlloc_v2(&freed, 23456), kSuccess);
  ASSERT_EQ(cuMemAllocHost_v2(&pinned, 34567), kSuccess);
  ASSERT_EQ(cuMemFreeAsync(freed, nullptr), kSuccess);
  void* context;
  ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), kSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "not the last reference";
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::ContainsRegex("not freed when the context ends: allocation #[0-9]+ \\(12345 bytes\\)"),
                             testing::HasSubstr("(34567 bytes)"), testing::Not(testing::HasSubstr("(23456 bytes)"))));
  ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), kSuccess);
}

using DriverDeathTest = Driver;

TEST_F(DriverDeathTest, ReportsLeaksWhenTheProcessEnds) {
  Set("FAKE_CUDA_EXITCODE", "7");
  uint64_t memory, freed;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 12345), kSuccess);
  ASSERT_EQ(cuMemAlloc_v2(&freed, 23456), kSuccess);
  ASSERT_EQ(cuMemFreeAsync(freed, nullptr), kSuccess) << "done by nobody any more";
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "");
  Set("FAKE_CUDA_LEAK", "warn");
  ASSERT_EQ(cuMemFreeAsync(freed, nullptr), kSuccess);
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "warning: not freed when the process ends: allocation #");
  Set("FAKE_CUDA_LEAK", "error");
  ASSERT_EQ(cuMemFreeAsync(freed, nullptr), kSuccess);
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(7),
              "ERROR: not freed when the process ends: allocation #[0-9]+ \\(12345 bytes\\)[^\n]*\n.* 1 errors");
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  const Kernel kernel("");
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "") << "a loaded module is no allocation of the program";
}

TEST_F(Driver, DestroysWhatIsInTheContextWithIt) {
  void *module, *function, *stream, *event, *pinned, *context;
  uint64_t memory;
  char byte = 0;
  ASSERT_EQ(cuModuleLoadData(&module, KernelSource("").c_str()), kSuccess);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), kSuccess);
  ASSERT_EQ(cuStreamCreate(&stream, 0), kSuccess);
  ASSERT_EQ(cuEventCreate(&event, 0), kSuccess);
  ASSERT_EQ(cuMemAlloc_v2(&memory, 16), kSuccess);
  ASSERT_EQ(cuMemAllocHost_v2(&pinned, 16), kSuccess);
  ASSERT_EQ(cuMemHostRegister_v2(&byte, 1, 0), kSuccess);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), kSuccess);
  ASSERT_EQ(cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), kSuccess) << "not the last reference";
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  ASSERT_EQ(cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), kSuccess);

  EXPECT_EQ(cuModuleUnload(module), kInvalidHandle);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), kInvalidHandle);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), kInvalidHandle);
  EXPECT_EQ(cuStreamSynchronize(stream), kInvalidHandle);
  EXPECT_EQ(cuStreamSynchronize(nullptr), kSuccess) << "every context has a default stream";
  EXPECT_EQ(cuEventQuery(event), kInvalidHandle);
  EXPECT_EQ(cuMemcpyDtoH_v2(&byte, memory, 1), kInvalidValue);
  EXPECT_EQ(cuMemFree_v2(memory), kInvalidValue);
  EXPECT_EQ(cuMemFreeHost(pinned), kInvalidValue);
  EXPECT_EQ(cuMemHostUnregister(&byte), kInvalidValue);
}

TEST_F(Driver, TellsItsHostMemoryFromTheProgramsOwn) {
  char byte;
  void* pinned;
  ASSERT_EQ(cuMemHostRegister_v2(&byte, 1, 0), kSuccess);
  ASSERT_EQ(cuMemAllocHost_v2(&pinned, 16), kSuccess);
  EXPECT_EQ(cuMemFreeHost(&byte), kInvalidValue);
  EXPECT_EQ(cuMemHostUnregister(pinned), kInvalidValue);
  EXPECT_EQ(cuMemHostUnregister(&byte), kSuccess);
  EXPECT_EQ(cuMemFreeHost(pinned), kSuccess);
}

TEST_F(Driver, DescribesPointers) {
  enum { kContext = 1, kMemoryType = 2, kDevicePointer = 3, kHostPointer = 4, kOrdinal = 9, kRangeStart = 11, kRangeSize = 12 };
  uint64_t memory, address = 0;
  void *pinned, *context = nullptr;
  unsigned type = 0;
  size_t size = 0;
  int ordinal = -1, pageable = 0;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 16), kSuccess);
  ASSERT_EQ(cuMemAllocHost_v2(&pinned, 16), kSuccess);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pinned) % 4096, 0u) << "whole pages";
  const auto host = reinterpret_cast<uint64_t>(pinned), stack = reinterpret_cast<uint64_t>(&pageable);
  EXPECT_EQ(cuPointerGetAttribute(&type, kMemoryType, memory + 15), kSuccess);
  EXPECT_EQ(type, 2u);
  EXPECT_EQ(cuPointerGetAttribute(&type, kMemoryType, host + 15), kSuccess);
  EXPECT_EQ(type, 1u);
  EXPECT_EQ(cuPointerGetAttribute(&type, kMemoryType, memory + 16), kInvalidValue);
  EXPECT_EQ(cuPointerGetAttribute(&type, kMemoryType, stack), kInvalidValue);
  EXPECT_EQ(cuPointerGetAttribute(&context, kContext, memory), kSuccess);
  EXPECT_NE(context, nullptr);
  EXPECT_EQ(cuPointerGetAttribute(&address, kHostPointer, host), kSuccess);
  EXPECT_EQ(address, host);
  EXPECT_EQ(cuPointerGetAttribute(&address, kHostPointer, memory), kInvalidValue);

  int attributes[] = {kMemoryType, kDevicePointer, kOrdinal, kRangeStart, kRangeSize};
  uint64_t start = 0;
  void* results[] = {&type, &address, &ordinal, &start, &size};
  EXPECT_EQ(cuPointerGetAttributes(5, attributes, results, memory + 4), kSuccess);
  EXPECT_EQ(type, 2u);
  EXPECT_EQ(address, memory + 4);
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(start, memory);
  EXPECT_EQ(size, 16u);
  EXPECT_EQ(cuPointerGetAttributes(5, attributes, results, stack), kSuccess) << "memory that the driver does not know";
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(address, 0u);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(cuMemFreeHost(pinned), kSuccess);
  EXPECT_EQ(cuMemFreeHost(pinned), kInvalidValue);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  EXPECT_EQ(cuPointerGetAttribute(&type, kMemoryType, memory), kInvalidValue) << "freed";
}

TEST_F(Driver, CopiesBetweenAnyMemory) {
  uint64_t memory;
  uint32_t source = 5, result = 0;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 4), kSuccess);
  EXPECT_EQ(cuMemcpy(memory, reinterpret_cast<uint64_t>(&source), 4), kSuccess);
  EXPECT_EQ(cuMemcpyAsync(reinterpret_cast<uint64_t>(&result), memory, 4, nullptr), kSuccess);
  EXPECT_EQ(result, 0u);
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  EXPECT_EQ(result, 5u);
  EXPECT_EQ(cuMemsetD8Async(memory, 1, 2, nullptr), kSuccess);
  EXPECT_EQ(cuMemcpyDtoH_v2(&result, memory, 4), kSuccess);
  EXPECT_EQ(result, 0x101u);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
}

TEST_F(Driver, NamesItsDevice) {
  unsigned char uuid[17] = {};
  EXPECT_EQ(cuDeviceGetUuid(uuid, 0), kSuccess);
  EXPECT_NE(uuid[15], 0);
  EXPECT_EQ(uuid[16], 0);
  char id[13];
  EXPECT_EQ(cuDeviceGetPCIBusId(id, sizeof id, 0), kSuccess);
  EXPECT_STREQ(id, "0000:00:00.0");
  EXPECT_EQ(cuDeviceGetPCIBusId(id, 12, 0), kInvalidValue);
  EXPECT_EQ(cuDeviceGetUuid(uuid, 1), 101);
}

TEST_F(Driver, KeepsTheFlagsOfItsContext) {
  void* context;
  unsigned flags = 0;
  ASSERT_EQ(cuCtxCreate_v2(&context, 4, 0), kSuccess);
  EXPECT_EQ(cuCtxGetFlags(&flags), kSuccess);
  EXPECT_EQ(flags, 4u);
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
}

}  // namespace
}  // namespace roipool::fake_cuda
