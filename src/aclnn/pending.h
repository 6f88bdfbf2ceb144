// Second phases whose work may not be done yet: what the device finds wrong with them is returned by whoever waits for their
// stream.
#ifndef ROIPOOL_SRC_ACLNN_PENDING_H_
#define ROIPOOL_SRC_ACLNN_PENDING_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "roipool/status.h"

namespace roipool::aclnn {

struct OpExecutor;

/// The runs of one stream that are not known to be done, and the first error of those that are. Whoever waits for a run settles
/// it where it is: others who need it wait for that, and its error stays here until it is taken. Thread-safe.
class PendingRuns {
 public:
  struct Run {
    std::shared_ptr<OpExecutor> executor;
    uint64_t number = 0;  ///< In the order in which the runs of all streams were added.
  };
  using Runs = std::list<Run>;

  /// Room for one run, made before its work is on the stream: nothing can fail after that. May throw std::bad_alloc.
  static Runs MakeRoom(std::shared_ptr<OpExecutor> executor);
  void Add(Runs run) noexcept;

  /// How many runs are not settled.
  size_t count() const noexcept;
  /// Waits for the runs that were added before this call. Not to be called with the mutex of an executor held.
  void Settle(const char* function) noexcept;
  /// The same for a caller who tells no error: the text names the function that will.
  void SettleForOthers() noexcept { Settle("aclrtSynchronizeStream"); }

  /// The number of the run whose error comes next; 0 if there is none.
  uint64_t failed_run() const noexcept;
  /// The first error, which is forgotten.
  Status TakeError() noexcept;

 private:
  mutable std::mutex mutex_;  ///< Guards what follows; never held while the device is waited for.
  std::condition_variable settled_one_;
  Runs runs_;                 ///< The oldest first.
  bool is_settling_ = false;  ///< A thread waits for the oldest.
  Status error_;
  uint64_t failed_run_ = 0;
};

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_PENDING_H_
