// Faults that the person at the keyboard can put right.
#ifndef ROIPOOL_CLI_USER_ERROR_H_
#define ROIPOOL_CLI_USER_ERROR_H_

#include <stdexcept>

#include "roipool/status.h"

namespace roipool::cli {

/// Shown as one line on stderr; the program ends with status 2.
class UserError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws the status's message: as a UserError, or as a std::runtime_error (status 1) if the library calls it its own fault.
inline void ThrowIfError(const Status& status) {
  if (status.ok()) return;
  if (status.code() == StatusCode::kInternal) throw std::runtime_error(status.message());
  throw UserError(status.message());
}

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_USER_ERROR_H_
