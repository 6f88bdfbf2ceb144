// Several host threads at once.
#include <atomic>
#include <thread>

#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using Threads = FakeCuda;

constexpr int kThreads = 4, kRounds = 50;

TEST_F(Threads, WorkSideBySide) {
  const Kernel kernel("ld.global.u32 %r10, [%rd2];\nadd.s32 %r10, %r10, %r2;\nst.global.u32 [%rd2], %r10;");
  std::atomic<int> right = 0;
  const auto work = [&](unsigned n) {
    void* stream;
    cuStreamCreate(&stream, n % 2);
    for (int round = 0; round < kRounds; round++) {
      std::vector<uint32_t> values(64, 1), results(64);
      uint64_t memory;
      cuMemAlloc_v2(&memory, 256);
      cuMemcpyHtoDAsync_v2(memory, values.data(), 256, stream);
      kernel.Launch(memory, {2, 32, n}, stream);
      cuMemcpyDtoHAsync_v2(results.data(), memory, 256, stream);
      const int status = cuStreamSynchronize(stream);
      cuMemFree_v2(memory);
      right += status == kSuccess && results == std::vector<uint32_t>(64, n + 1);
    }
    cuStreamDestroy_v2(stream);
  };
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < kThreads; n++) threads.emplace_back(work, n);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads * kRounds);
  EXPECT_EQ(fake_cuda_calls("cuLaunchKernel"), kThreads * kRounds);
}

TEST_F(Threads, HaveCurrentContextsOfTheirOwn) {
  unsigned flags;
  EXPECT_EQ(cuCtxGetFlags(&flags), kSuccess);
  int elsewhere = 0;
  std::thread([&] { elsewhere = cuCtxGetFlags(&flags); }).join();
  EXPECT_EQ(elsewhere, kInvalidContext);
}

}  // namespace
}  // namespace roipool::fake_cuda
