// Sizes near what 31 bits can count.
#include <sys/mman.h>
#include <unistd.h>

#include "operators.h"

namespace roipool::test {
namespace {

// Zeros that take no memory until somebody writes to them.
class LazyMemory {
 public:
  explicit LazyMemory(size_t size)
      : size_(size), data_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;
  ~LazyMemory() { munmap(data_, size_); }
  void* data() const { return data_; }

 private:
  size_t size_;
  void* data_;
};

int64_t AvailableBytes() {
  return static_cast<int64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<int64_t>(sysconf(_SC_PAGESIZE));
}

// S7 allows planes so large that the float32 sums of a few channels need more than 2^31 bytes.
TEST(Large, SumsOfMoreThanTwoGigabytes) {
  constexpr int64_t kChannels = 4, kPixels = INT64_C(140) << 20, kNeeded = INT64_C(6) << 30;
  if (AvailableBytes() < kNeeded)
    GTEST_SKIP() << "needs " << kNeeded << " bytes of memory, " << AvailableBytes() << " are free";
  GradProblem problem(GradCase().Type(DataType::kFloat16).Channels(kChannels).Images(1).Rois(2).Pooled(1, 1));
  problem.grad_output.SetAll(3);
  problem.argmax.SetAll(static_cast<double>(kPixels - 1));
  const LazyMemory memory(kChannels * kPixels * sizeof(uint16_t));
  RoiPoolGradArgs args = problem.args();
  args.grad_input = ContiguousTensor(memory.data(), DataType::kFloat16, {1, kChannels, 1, kPixels});
  ASSERT_OK(Call<GradOperator>(args).Run());
  const auto* grad_input = static_cast<const uint16_t*>(memory.data());
  for (int64_t c = 0; c < kChannels; ++c) {
    EXPECT_EQ(grad_input[c * kPixels + kPixels - 1], 0x4600) << "6 as a float16";
    EXPECT_EQ(grad_input[c * kPixels + kPixels - 2], 0);
  }
}

}  // namespace
}  // namespace roipool::test
