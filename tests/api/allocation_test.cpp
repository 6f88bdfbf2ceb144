// Phase 2 allocates nothing that grows with the number of rois; the gradient's best kernels allocate nothing at all. Watches
// what malloc and its kin hand out in the whole program.
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "kernel_rows.h"
#include "operators.h"

#if defined(__SANITIZE_ADDRESS__)
// GCC has these, but not the header that declares them.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, size_t),
                                                         void (*free_hook)(const volatile void*));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* memory);
#endif

namespace {

// What is allocated now, and the most that was at once since the last ResetPeak().
std::atomic<int64_t> live_bytes = 0, peak_bytes = 0;

void Allocated(size_t size) {
  const int64_t live = live_bytes += static_cast<int64_t>(size);
  for (int64_t peak = peak_bytes; live > peak && !peak_bytes.compare_exchange_weak(peak, live);) {
  }
}
void Freed(size_t size) { live_bytes -= static_cast<int64_t>(size); }
void ResetPeak() { peak_bytes = live_bytes.load(); }

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
namespace {
const bool kInstalled = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, size_t size) { Allocated(size); },
                                                                  [](const volatile void* memory) {
                                                                    if (memory != nullptr)
                                                                      Freed(__sanitizer_get_allocated_size(memory));
                                                                  }) != 0;
}  // namespace
#else
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

static void* Watched(void* memory) {
  if (memory != nullptr) Allocated(malloc_usable_size(memory));
  return memory;
}
void* malloc(size_t size) { return Watched(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) { return Watched(__libc_calloc(count, size)); }
void* realloc(void* memory, size_t size) {
  if (memory != nullptr) Freed(malloc_usable_size(memory));
  return Watched(__libc_realloc(memory, size));
}
void* memalign(size_t alignment, size_t size) { return Watched(__libc_memalign(alignment, size)); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  if (memory != nullptr) Freed(malloc_usable_size(memory));
  __libc_free(memory);
}
}
#endif

namespace roipool::test {
namespace {

// The most that one run of phase 2 holds at once, beyond what was there before; after a first run has made everything that
// lasts.
template <typename Op>
int64_t PeakOfRun(const typename Op::Case& c, Options options) {
  typename Op::Problem problem(c);
  options.repeatable = true;
  Call<Op> call(problem.args(), options);
  EXPECT_OK(call.Run());
  const int64_t before = live_bytes;
  ResetPeak();
  const Status status = call.Run();
  const int64_t peak = peak_bytes - before;
  EXPECT_OK(status);
  EXPECT_EQ(live_bytes, before) << "something was not freed";
  return peak;
}

TEST(Allocation, IsWatched) {
  const int64_t before = live_bytes;
  ResetPeak();
  void* volatile memory = std::malloc(1000);
  std::free(memory);
  EXPECT_GE(peak_bytes - before, 1000);
  EXPECT_EQ(live_bytes, before);
}

TEST(Allocation, OfTheGradientDoesNotGrowWithRois) {
  for (const KernelRow& row : KernelRowsOf(Operator::kRoiPoolGrad)) {
    if (!WhyNotHere(row).empty()) continue;
    for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64}) {
      const GradCase c = GradCase().Type(row.type).ArgmaxType(argmax_type);
      const Options options = OptionsFor(row, 1);
      const int64_t few = PeakOfRun<GradOperator>(GradCase(c).Rois(8), options);
      EXPECT_EQ(PeakOfRun<GradOperator>(GradCase(c).Rois(3000), options), few) << row.name;
    }
  }
}

TEST(Allocation, TheGradientNeedsNoneOnceItsThreadsRun) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "rows of a fixed size are the choice of cpu_channel_blocks";
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
      for (const auto& [pooled_h, pooled_w] : {std::pair{7, 7}, std::pair{14, 14}, std::pair{5, 5}, std::pair{1, 300}}) {
        for (const int64_t channels : {1, 2, 3, 4, 30}) {
          const GradCase c = GradCase().Type(type).Rois(300).Channels(channels).Pooled(pooled_h, pooled_w).EmptyShare(0.0005);
          Options options;
          options.max_isa = isa;
          options.threads = 2;
          EXPECT_EQ(PeakOfRun<GradOperator>(c, options), 0) << c.Describe();
        }
      }
    }
  }
}

TEST(Allocation, OfTheForwardDoesNotGrowWithRois) {
  for (const KernelRow& row : KernelRowsOf(Operator::kRoiPool)) {
    if (!WhyNotHere(row).empty()) continue;
    const Options options = OptionsFor(row, 1);
    const int64_t few = PeakOfRun<PoolOperator>(PoolCase().Type(row.type).Rois(8), options);
    EXPECT_LE(PeakOfRun<PoolOperator>(PoolCase().Type(row.type).Rois(3000), options), few) << row.name;
  }
}

}  // namespace
}  // namespace roipool::test
