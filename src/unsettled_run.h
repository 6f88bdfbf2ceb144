// A run on a device that has been begun, and whose contents are not known to be good yet.
#ifndef ROIPOOL_SRC_UNSETTLED_RUN_H_
#define ROIPOOL_SRC_UNSETTLED_RUN_H_

#include <cstdint>

#include "device_copier.h"

namespace roipool::internal {

/// A word of device memory that a run leaves its verdict in. It is not the caller's, whose workspace may be used again in the
/// queue's order.
class VerdictWord {
 public:
  VerdictWord() = default;
  ~VerdictWord();
  VerdictWord(VerdictWord&& other) noexcept;
  VerdictWord& operator=(VerdictWord&& other) noexcept;
  VerdictWord(const VerdictWord&) = delete;
  VerdictWord& operator=(const VerdictWord&) = delete;

  Status Take(const char* function, Device device, const DeviceQueue& queue) noexcept;
  /// Its queue has been waited for.
  void Settle() noexcept { is_settled_ = true; }
  const DeviceMemory& memory() const noexcept { return memory_; }

 private:
  DeviceQueue queue_;
  DeviceMemory memory_;
  bool is_settled_ = false;
  OpenClBuffer object_;  ///< OpenCL's.
};

struct UnsettledRun {
  VerdictWord word;
  DeviceQueue queue;
  const void* argmax = nullptr;  ///< The inputs' data in this run, to name the first offender; the gradient's.
  const void* rois = nullptr;
  uint64_t state = 0;  ///< What the word held, once it is read.
};

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_UNSETTLED_RUN_H_
