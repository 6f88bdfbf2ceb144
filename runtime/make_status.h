// The one way in which the library words an error.
#ifndef ROIPOOL_RUNTIME_MAKE_STATUS_H_
#define ROIPOOL_RUNTIME_MAKE_STATUS_H_

#include "roipool/status.h"

namespace roipool::internal {

/// A Status with a printf-style text: "<function>: <argument> is <value>, <rule with its number>[; <next step>]".
[[gnu::format(printf, 2, 3)]] Status MakeStatus(StatusCode code, const char* format, ...) noexcept;

}  // namespace roipool::internal

/// Returns an error unless `condition` holds: ROIPOOL_CHECK(rank == 4, StatusCode::kInvalidArgument, "...", values).
#define ROIPOOL_CHECK(condition, code, ...)                                        \
  do {                                                                             \
    if (!(condition)) return ::roipool::internal::MakeStatus((code), __VA_ARGS__); \
  } while (false)

/// Hands on the error of an expression of type Status.
#define ROIPOOL_RETURN_IF_ERROR(expression)                                      \
  do {                                                                           \
    if (::roipool::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#endif  // ROIPOOL_RUNTIME_MAKE_STATUS_H_
