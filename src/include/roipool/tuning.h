// Tuned values of one's own, as `roipool tune` writes them.
#ifndef ROIPOOL_TUNING_H_
#define ROIPOOL_TUNING_H_

#include <memory>

#include "roipool/export.h"
#include "roipool/status.h"

namespace roipool {

/// The rows of one file. Immutable, so that any number of threads may use it at once.
class Tuning;

struct ROIPOOL_EXPORT TuningDeleter {
  void operator()(Tuning* tuning) const noexcept;
};
using TuningPtr = std::unique_ptr<Tuning, TuningDeleter>;

/// Reads a file of tuned rows for Options::tuning. kInvalidArgument, with file and line, for a file that cannot be read and for
/// the first row that is malformed, names something unknown, or needs a kernel that this library does not hold. On an error
/// *tuning is null. kNullArgument, kOutOfMemory.
[[nodiscard]] ROIPOOL_EXPORT Status LoadTuning(const char* path, TuningPtr* tuning) noexcept;

}  // namespace roipool

#endif  // ROIPOOL_TUNING_H_
