// The result of every roipool call: a code for programs and a text for people.
#ifndef ROIPOOL_STATUS_H_
#define ROIPOOL_STATUS_H_

#include <cstdint>
#include <cstring>

#include "roipool/export.h"

namespace roipool {

enum class StatusCode : int32_t {
  kOk = 0,
  kNullArgument = 1,      ///< A pointer that must be set is null.
  kInvalidArgument = 2,   ///< A type, rank, shape, stride, option or environment variable breaks a rule.
  kUnsupported = 3,       ///< The request is well formed, but no kernel in this library serves it on this machine.
  kOutOfRange = 4,        ///< A value inside a tensor breaks a rule: an argmax entry, an image index, a box.
  kSizeOverflow = 5,      ///< A tensor has more than 2^31-1 elements, or a size does not fit in 64 bits.
  kOverlap = 6,           ///< Memory that is written overlaps other memory of the same call.
  kInvalidState = 7,      ///< An executor that cannot run (again).
  kInvalidWorkspace = 8,  ///< The workspace is null, too small or misaligned.
  kOutOfMemory = 9,       ///< An allocation failed.
  kInternal = 10,         ///< A fault inside the library; please report it.
  kDeviceError = 11,      ///< A device or its driver failed; the text has the driver's function and error.
};

/// The code's name without its `k`, e.g. "OutOfRange". Never null.
ROIPOOL_EXPORT const char* StatusCodeName(StatusCode code) noexcept;

/// A code and, unless it is kOk, one line that names the function, the argument, the value and the rule it broke. Owns its
/// text inside itself: it never allocates, so that running out of memory can be reported too.
class [[nodiscard]] Status {
 public:
  static constexpr size_t kMaxMessage = 511;  ///< Longer texts are cut.

  Status() noexcept { text_[0] = '\0'; }
  /// Copies `message` (null-terminated; null means empty).
  Status(StatusCode code, const char* message) noexcept : code_(code) { Assign(message); }
  Status(const Status& other) noexcept : code_(other.code_) { Assign(other.text_); }
  Status& operator=(const Status& other) noexcept {
    if (this != &other) {
      code_ = other.code_;
      Assign(other.text_);
    }
    return *this;
  }

  bool ok() const noexcept { return code_ == StatusCode::kOk; }
  StatusCode code() const noexcept { return code_; }
  /// Valid as long as this object; empty if ok().
  const char* message() const noexcept { return text_; }

 private:
  void Assign(const char* message) noexcept {
    const size_t length = message == nullptr ? 0 : std::strlen(message);
    const size_t kept = length < kMaxMessage ? length : kMaxMessage;
    if (kept != 0) std::memcpy(text_, message, kept);
    text_[kept] = '\0';
  }

  StatusCode code_ = StatusCode::kOk;
  char text_[kMaxMessage + 1];
};

}  // namespace roipool

#endif  // ROIPOOL_STATUS_H_
