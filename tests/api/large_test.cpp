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

// One small piece of memory again and again, and a page without access behind it.
class RepeatedMemory {
 public:
  explicit RepeatedMemory(size_t size) : size_(size / kPiece * kPiece + (size % kPiece == 0 ? 0 : kPiece)) {
    const int file = memfd_create("roipool_test", 0);
    EXPECT_EQ(ftruncate(file, kPiece), 0);
    auto* base =
        static_cast<std::byte*>(mmap(nullptr, size_ + kPiece, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (size_t offset = 0; offset < size_; offset += kPiece) {
      mmap(base + offset, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    }
    close(file);
    base_ = base;
    data_ = base + (size_ - size);
  }
  RepeatedMemory(const RepeatedMemory&) = delete;
  RepeatedMemory& operator=(const RepeatedMemory&) = delete;
  ~RepeatedMemory() { munmap(base_, size_ + kPiece); }
  void* data() const { return data_; }

 private:
  static constexpr size_t kPiece = size_t{64} << 20;
  size_t size_;
  void* base_;
  std::byte* data_;
};

// The last vector of such a plane would end beyond what 32 bits can count, and wrote one element behind the plane.
TEST(Large, APlaneOfTwoGigapixelsEndsWhereItEnds) {
  constexpr int64_t kPixels = 0x7fffffff;
  GradProblem problem(GradCase().Channels(1).Images(1).Rois(1).Pooled(1, 1));
  problem.grad_output.SetAll(3);
  problem.argmax.SetAll(static_cast<double>(kPixels - 1));
  const RepeatedMemory memory(kPixels * sizeof(float));
  RoiPoolGradArgs args = problem.args();
  args.grad_input = ContiguousTensor(memory.data(), DataType::kFloat32, {1, 1, 1, kPixels});
  ASSERT_OK(Call<GradOperator>(args).Run());
  EXPECT_EQ(static_cast<const float*>(memory.data())[kPixels - 1], 3);
}

}  // namespace
}  // namespace roipool::test
