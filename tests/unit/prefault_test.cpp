// New memory is asked for as a whole, and nothing else changes.
#include "prefault.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace roipool::internal {
namespace {

class Prefault : public testing::Test {
 protected:
  static constexpr size_t kPages = 64;

  Prefault() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))), memory_(Map(PROT_READ | PROT_WRITE)) {}
  ~Prefault() override { munmap(memory_, kPages * page_); }

  char* Map(int protection) const {
    void* memory = mmap(nullptr, kPages * page_, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    return static_cast<char*>(memory);
  }
  int64_t ResidentPages() const {
    std::vector<unsigned char> residence(kPages);
    EXPECT_EQ(mincore(memory_, kPages * page_, residence.data()), 0);
    return std::count_if(residence.begin(), residence.end(), [](unsigned char is_resident) { return (is_resident & 1) != 0; });
  }
  bool SystemCan() const {
    char* memory = Map(PROT_READ | PROT_WRITE);
    const bool can = madvise(memory, page_, 23) == 0;
    munmap(memory, kPages * page_);
    return can;
  }

  const size_t page_;
  char* const memory_;
};

TEST_F(Prefault, NewMemoryIsThereAfterwards) {
  if (!SystemCan()) GTEST_SKIP() << "this system cannot populate memory on request";
  ASSERT_EQ(ResidentPages(), 0);
  PrefaultForWriting(memory_, kPages * page_);
  EXPECT_EQ(ResidentPages(), kPages);
}

TEST_F(Prefault, OnlyPagesInsideAreTouched) {
  if (!SystemCan()) GTEST_SKIP() << "this system cannot populate memory on request";
  PrefaultForWriting(memory_ + 1, (kPages - 1) * page_);
  EXPECT_EQ(ResidentPages(), kPages - 2);
}

TEST_F(Prefault, MemoryInUseKeepsItsContents) {
  std::memset(memory_, 7, kPages * page_);
  PrefaultForWriting(memory_, kPages * page_);
  EXPECT_EQ(std::count(memory_, memory_ + kPages * page_, 7), static_cast<int64_t>(kPages * page_));
}

TEST_F(Prefault, SmallOrForbiddenMemoryIsLeftAlone) {
  PrefaultForWriting(memory_, page_);
  PrefaultForWriting(memory_, 0);
  PrefaultForWriting(nullptr, 0);
  EXPECT_EQ(ResidentPages(), 0);
  char* read_only = Map(PROT_READ);
  errno = 0;
  PrefaultForWriting(read_only, kPages * page_);
  EXPECT_EQ(errno, 0);
  munmap(read_only, kPages * page_);
}

}  // namespace
}  // namespace roipool::internal
