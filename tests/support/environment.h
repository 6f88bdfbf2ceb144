// ROIPOOL_MAX_ISA for the length of a scope.
#ifndef ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_
#define ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_

#include <cstdlib>
#include <optional>
#include <string>

namespace roipool::test {

class ScopedIsaCap {
 public:
  /// Null: unset.
  explicit ScopedIsaCap(const char* value) {
    if (const char* before = std::getenv(kName)) before_ = before;
    Set(value);
  }
  ScopedIsaCap(const ScopedIsaCap&) = delete;
  ScopedIsaCap& operator=(const ScopedIsaCap&) = delete;
  ~ScopedIsaCap() { Set(before_ ? before_->c_str() : nullptr); }

 private:
  static constexpr const char* kName = "ROIPOOL_MAX_ISA";

  static void Set(const char* value) {
    if (value == nullptr) {
      unsetenv(kName);
    } else {
      setenv(kName, value, 1);
    }
  }

  std::optional<std::string> before_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_
