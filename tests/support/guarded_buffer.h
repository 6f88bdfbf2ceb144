// Memory that tells when somebody steps out of it.
#ifndef ROIPOOL_TESTS_SUPPORT_GUARDED_BUFFER_H_
#define ROIPOOL_TESTS_SUPPORT_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace roipool::test {

/// Where the memory touches a page that may not be accessed: a read or write across that end ends the program.
enum class Fence { kBehind, kBefore };

/// Pages of its own, without access before and behind them. Bytes between the memory and the pages' other end hold a pattern; a
/// changed one is a test failure, at the latest when the buffer is destroyed.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(int64_t size, Fence fence = Fence::kBehind, int64_t alignment = 8);
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer();

  std::byte* data() const { return data_; }
  int64_t size() const { return size_; }

  /// Empty if every guard byte is as it was, else where the first changed one lies.
  std::string FindDamage() const;
  /// Any write ends the program from now on. Guard bytes included.
  void MakeReadOnly();

 private:
  std::byte* pages_ = nullptr;  ///< The whole mapping.
  int64_t mapped_ = 0;
  std::byte* data_ = nullptr;
  int64_t size_ = 0;
};

/// What a crash at a fence says, beside the name of the test. Cut to 500 bytes.
void SetCrashNote(const std::string& note);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_GUARDED_BUFFER_H_
