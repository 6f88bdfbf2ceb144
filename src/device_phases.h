// What an executor of any operator does on a GPU beside its phases.
#ifndef ROIPOOL_SRC_DEVICE_PHASES_H_
#define ROIPOOL_SRC_DEVICE_PHASES_H_

#include "roipool/executor.h"
#include "roipool/status.h"

namespace roipool::internal {

/// Where the next run on a GPU goes, in place of Options::device_stream. Nothing on a CPU.
void SetDeviceStream(Executor* executor, void* device_stream) noexcept;
/// Synchronize() of executor.h, with another name in messages.
Status SynchronizeExecutor(const char* function, Executor* executor) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_DEVICE_PHASES_H_
