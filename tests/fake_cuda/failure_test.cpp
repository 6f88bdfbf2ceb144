// Calls that fail on request, and what is known of calls.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using testing::HasSubstr;

class Failure : public FakeCuda {
 protected:
  int Allocate() {
    uint64_t memory = 0;
    const int status = cuMemAlloc_v2(&memory, 16);
    if (status == kSuccess) {
      EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
    }
    return status;
  }
};

TEST_F(Failure, OfTheNextCall) {
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 1, kOutOfMemory), 0);
  EXPECT_EQ(Allocate(), kOutOfMemory);
  EXPECT_EQ(Allocate(), kSuccess);
}

TEST_F(Failure, OfALaterCall) {
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 3, kOutOfMemory), 0);
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 4, 999), 0);
  EXPECT_EQ(Allocate(), kSuccess);
  EXPECT_EQ(Allocate(), kSuccess);
  EXPECT_EQ(Allocate(), kOutOfMemory);
  EXPECT_EQ(Allocate(), 999);
  EXPECT_EQ(Allocate(), kSuccess);
}

TEST_F(Failure, OfEveryCallUntilCleared) {
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 0, kOutOfMemory), 0);
  EXPECT_EQ(Allocate(), kOutOfMemory);
  EXPECT_EQ(Allocate(), kOutOfMemory);
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 0, kSuccess), 0);
  EXPECT_EQ(Allocate(), kSuccess);
}

TEST_F(Failure, EndsWithTheReset) {
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc_v2", 0, kOutOfMemory), 0);
  fake_cuda_reset();
  EXPECT_EQ(Allocate(), kSuccess);
}

TEST_F(Failure, DoesNothing) {
  const Kernel kernel("st.global.u32 [%rd2], 5;");
  uint64_t memory;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 4), kSuccess);
  ASSERT_EQ(cuMemsetD32_v2(memory, 7, 1), kSuccess);
  fake_cuda_fail("cuLaunchKernel", 1, kLaunchFailed);
  EXPECT_EQ(kernel.Launch(memory, {}), kLaunchFailed);
  uint32_t value = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, memory, 4), kSuccess) << "what was asked for is no error of the context";
  EXPECT_EQ(value, 7u);
  fake_cuda_fail("cuMemFree_v2", 1, kInvalidContext);
  EXPECT_EQ(cuMemFree_v2(memory), kInvalidContext);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
}

TEST_F(Failure, FromTheEnvironment) {
  Set("FAKE_CUDA_FAIL", "cuMemAlloc_v2:2:2,cuMemFree_v2:*:201");
  uint64_t memory = 0;
  EXPECT_EQ(cuMemAlloc_v2(&memory, 4), kSuccess);
  EXPECT_EQ(cuMemFree_v2(memory), kInvalidContext);
  EXPECT_EQ(cuMemFree_v2(memory), kInvalidContext);
  EXPECT_EQ(Allocate(), kOutOfMemory);
  fake_cuda_fail("cuMemFree_v2", 0, kSuccess);
  EXPECT_EQ(Allocate(), kSuccess);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
}

using FailureDeathTest = Failure;

TEST_F(FailureDeathTest, OfUnknownFunctionsIsRefused) {
  EXPECT_EQ(fake_cuda_fail("cuMemAlloc", 1, kOutOfMemory), 1);
  EXPECT_EQ(fake_cuda_calls("cuMemAlloc"), -1);
  const test::ScopedEnvironment unknown("FAKE_CUDA_FAIL", "cuMemAlloc:1:2");
  EXPECT_EXIT(fake_cuda_reset(), testing::ExitedWithCode(2), "no function cuMemAlloc");
  for (const char* wrong :
       {"cuMemAlloc_v2", "cuMemAlloc_v2:1", "cuMemAlloc_v2:0:2", "cuMemAlloc_v2:x:2", "cuMemAlloc_v2:1:", ","}) {
    const test::ScopedEnvironment environment("FAKE_CUDA_FAIL", wrong);
    EXPECT_EXIT(fake_cuda_reset(), testing::ExitedWithCode(2), "is not FUNCTION:NTH:STATUS") << wrong;
  }
}

TEST_F(Failure, IsPossibleBeforeTheDriverIsInitialized) {
  fake_cuda_fail("cuInit", 1, 100);
  EXPECT_EQ(cuInit(0), 100);
  fake_cuda_fail("cuGetErrorName", 1, 999);
  const char* name;
  EXPECT_EQ(cuGetErrorName(kSuccess, &name), 999);
}

std::string PathOfTheLibrary() {
  Dl_info info = {};
  dladdr(reinterpret_cast<const void*>(&fake_cuda_reset), &info);
  return info.dli_fname;
}

std::vector<std::string> ExportedFunctions() {
  std::vector<std::string> names;
  FILE* const symbols = popen(("nm --dynamic --defined-only --format=just-symbols " + PathOfTheLibrary()).c_str(), "r");
  char line[256];
  while (std::fgets(line, sizeof line, symbols) != nullptr) names.emplace_back(line, std::strcspn(line, "\n"));
  EXPECT_EQ(pclose(symbols), 0);
  return names;
}

TEST_F(Failure, OfEveryFunctionBeforeItLooksAtItsArguments) {
  using Function = int (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*);
  void* const null = nullptr;
  int count = 0;
  for (const std::string& name : ExportedFunctions()) {
    if (name.starts_with("fake_cuda_")) continue;
    ASSERT_TRUE(name.starts_with("cu")) << name << " should not be exported";
    SCOPED_TRACE(name);
    const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name.c_str()));
    ASSERT_NE(function, nullptr);
    fake_cuda_fail(name.c_str(), 1, 777);
    EXPECT_EQ(function(null, null, null, null, null, null, null, null, null, null, null), 777);
    EXPECT_EQ(fake_cuda_calls(name.c_str()), 1);
    count++;
  }
  EXPECT_GT(count, 80);
}

TEST_F(Failure, CallsAreCounted) {
  EXPECT_EQ(fake_cuda_calls("cuMemAlloc_v2"), 0);
  Allocate();
  fake_cuda_fail("cuMemAlloc_v2", 1, kOutOfMemory);
  Allocate();
  EXPECT_EQ(fake_cuda_calls("cuMemAlloc_v2"), 2) << "failing ones too";
  EXPECT_EQ(fake_cuda_calls("cuMemFree_v2"), 1);
  fake_cuda_reset();
  EXPECT_EQ(fake_cuda_calls("cuMemAlloc_v2"), 0);
}

TEST_F(Failure, CallsAreLogged) {
  const Kernel kernel("");
  fake_cuda_reset();
  uint64_t memory;
  cuMemAlloc_v2(&memory, 16);
  cuMemcpyHtoD_v2(memory, &memory, 8);
  void* stream;
  cuStreamCreate(&stream, 0);
  char handle[32];
  std::snprintf(handle, sizeof handle, "stream %p\n", stream);
  kernel.Launch(memory, {4, 32, 0, 128}, stream);
  cuMemsetD32Async(memory, 1, 4, stream);
  cuStreamSynchronize(stream);
  cuStreamDestroy_v2(stream);
  cuMemFree_v2(memory);
  EXPECT_EQ(Log(), std::string("cuMemAlloc_v2 16 bytes\ncuMemcpyHtoD_v2 8 bytes\ncuStreamCreate\n"
                               "cuLaunchKernel k grid 4,1,1 block 32,1,1 shared 128 ") +
                       handle + "cuMemsetD32Async 16 bytes " + handle + "cuStreamSynchronize " + handle +
                       "cuStreamDestroy_v2 " + handle + "cuMemFree_v2\n");
  char start[10];
  EXPECT_EQ(fake_cuda_log(start, sizeof start), Log().size());
  EXPECT_STREQ(start, "cuMemAllo");
  fake_cuda_reset();
  EXPECT_EQ(Log(), "");
}

}  // namespace
}  // namespace roipool::fake_cuda
