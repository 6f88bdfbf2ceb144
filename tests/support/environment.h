// Environment variables for the length of a scope.
#ifndef ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_
#define ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_

#include <cstdlib>
#include <optional>
#include <string>

namespace roipool::test {

class ScopedEnvironment {
 public:
  /// Null: unset.
  ScopedEnvironment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    Set(value);
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() { Set(before_ ? before_->c_str() : nullptr); }

 private:
  void Set(const char* value) {
    if (value == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, value, 1);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

struct ScopedIsaCap : ScopedEnvironment {
  explicit ScopedIsaCap(const char* value) : ScopedEnvironment("ROIPOOL_MAX_ISA", value) {}
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_ENVIRONMENT_H_
