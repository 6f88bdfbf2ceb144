// Errors of the C API: a code for the caller, and a text that the thread keeps until it is read.
#ifndef ROIPOOL_SRC_ACLNN_ERROR_H_
#define ROIPOOL_SRC_ACLNN_ERROR_H_

#include <new>

#include "aclnn/aclnn_base.h"
#include "roipool/status.h"

namespace roipool::aclnn {

/// Keeps a printf-style text as this thread's last error and returns `code`.
[[gnu::format(printf, 2, 3)]] int Fail(int code, const char* format, ...) noexcept;

/// Keeps the text of a Status, if it is an error, and returns its aclnn code.
aclnnStatus FromStatus(const Status& status) noexcept;

/// The same for a first phase, in which memory runs out while an executor is made.
aclnnStatus FromPlanning(const Status& status) noexcept;

/// A first phase's first step: both results are set to "nothing", so that every failure leaves them so.
int ClearResults(const char* function, uint64_t* workspace_size, aclOpExecutor** executor) noexcept;

/// Runs the body of an entry point, which may throw std::bad_alloc; no exception leaves the API.
template <typename Body>
int Guarded(const char* function, int out_of_memory_code, const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Fail(out_of_memory_code, "%s: out of memory", function);
  } catch (...) {
    return Fail(ACLNN_ERR_INNER, "%s: an unforeseen fault inside the library", function);
  }
}

}  // namespace roipool::aclnn

/// Fails with `code` and a text unless `condition` holds.
#define ROIPOOL_ACLNN_CHECK(condition, code, ...)                         \
  do {                                                                    \
    if (!(condition)) return ::roipool::aclnn::Fail((code), __VA_ARGS__); \
  } while (false)

/// Hands on the code of an expression that failed.
#define ROIPOOL_ACLNN_RETURN_IF_FAILED(expression)                            \
  do {                                                                        \
    if (const int code_ = (expression); code_ != ACLNN_SUCCESS) return code_; \
  } while (false)

#endif  // ROIPOOL_SRC_ACLNN_ERROR_H_
