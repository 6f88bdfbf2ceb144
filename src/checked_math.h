// 64-bit sizes that never wrap.
#ifndef ROIPOOL_SRC_CHECKED_MATH_H_
#define ROIPOOL_SRC_CHECKED_MATH_H_

#include <cstdint>

namespace roipool::internal {

/// Each returns false, and leaves *result unspecified, where the true value does not fit.
[[nodiscard]] inline bool CheckedMultiply(int64_t a, int64_t b, int64_t* result) noexcept {
  return !__builtin_mul_overflow(a, b, result);
}
[[nodiscard]] inline bool CheckedAdd(int64_t a, int64_t b, int64_t* result) noexcept {
  return !__builtin_add_overflow(a, b, result);
}

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_CHECKED_MATH_H_
