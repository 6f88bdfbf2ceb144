#include "guarded_buffer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace roipool::test {
namespace {

constexpr auto kGuardByte = std::byte{0xa5};

char crash_note[512];

#if defined(__SANITIZE_ADDRESS__)
void InstallCrashHandler() {}  // AddressSanitizer has one of its own, which says more.
#else
void OnCrash(int signal_number) {
  // Nothing here that is not allowed in a signal handler.
  const auto print = [](const char* text) { return ::write(STDERR_FILENO, text, std::strlen(text)); };
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  static_cast<void>(print("\nmemory outside a buffer was accessed in: ") +
                    print(test == nullptr ? "" : test->test_suite_name()) + print(".") +
                    print(test == nullptr ? "" : test->name()) + print(" ") + print(crash_note) + print("\n"));
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void InstallCrashHandler() {
  static const bool installed = [] {
    std::signal(SIGSEGV, OnCrash);
    std::signal(SIGBUS, OnCrash);
    return true;
  }();
  static_cast<void>(installed);
}
#endif

int64_t RoundUp(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

}  // namespace

GuardedBuffer::GuardedBuffer(int64_t size, Fence fence, int64_t alignment) : size_(size) {
  InstallCrashHandler();
  const auto page = static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  const int64_t usable = RoundUp(size + 1, page);
  mapped_ = usable + 2 * page;
  void* mapping = mmap(nullptr, static_cast<size_t>(mapped_), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::runtime_error("no memory for a guarded buffer");
  pages_ = static_cast<std::byte*>(mapping);
  std::byte* begin = pages_ + page;
  if (mprotect(begin, static_cast<size_t>(usable), PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("mprotect failed");
  data_ = fence == Fence::kBefore ? begin : begin + (usable - RoundUp(size, alignment));
  std::memset(begin, static_cast<int>(kGuardByte), static_cast<size_t>(data_ - begin));
  std::memset(data_ + size, static_cast<int>(kGuardByte), static_cast<size_t>(begin + usable - (data_ + size)));
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), mapped_(other.mapped_), data_(other.data_), size_(other.size_) {}

GuardedBuffer::~GuardedBuffer() {
  if (pages_ == nullptr) return;
  if (const std::string damage = FindDamage(); !damage.empty()) ADD_FAILURE() << damage;
  munmap(pages_, static_cast<size_t>(mapped_));
}

std::string GuardedBuffer::FindDamage() const {
  const auto page = static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  const auto find = [&](const std::byte* begin, const std::byte* end) -> std::string {
    for (const std::byte* byte = begin; byte < end; ++byte) {
      if (*byte != kGuardByte)
        return "the guard byte at offset " + std::to_string(byte - data_) + " of a buffer of " + std::to_string(size_) +
               " bytes was overwritten";
    }
    return {};
  };
  const std::string before = find(pages_ + page, data_);
  return before.empty() ? find(data_ + size_, pages_ + mapped_ - page) : before;
}

void GuardedBuffer::MakeReadOnly() {
  const auto page = static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  if (mprotect(pages_ + page, static_cast<size_t>(mapped_ - 2 * page), PROT_READ) != 0)
    throw std::runtime_error("mprotect failed");
}

void SetCrashNote(const std::string& note) { std::snprintf(crash_note, sizeof(crash_note), "%s", note.c_str()); }

}  // namespace roipool::test
