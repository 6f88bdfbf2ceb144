#include "pending.h"

#include <atomic>

#include "device_phases.h"
#include "op_executor.h"

namespace roipool::aclnn {
namespace {

std::atomic<uint64_t> runs_so_far = 0;

Status Wait(const char* function, OpExecutor& executor) noexcept {
  const std::lock_guard lock(executor.mutex);
  --executor.pending_runs;
  return internal::SynchronizeExecutor(function, executor.native.get());
}

}  // namespace

PendingRuns::Runs PendingRuns::MakeRoom(std::shared_ptr<OpExecutor> executor) {
  Runs run;
  run.push_back({std::move(executor), 0});
  return run;
}

void PendingRuns::Add(Runs run) noexcept {
  const std::lock_guard lock(mutex_);
  run.front().number = ++runs_so_far;
  runs_.splice(runs_.end(), run);
}

size_t PendingRuns::count() const noexcept {
  const std::lock_guard lock(mutex_);
  return runs_.size();
}

void PendingRuns::Settle(const char* function) noexcept {
  std::unique_lock lock(mutex_);
  const uint64_t last = runs_.empty() ? 0 : runs_.back().number;
  while (!runs_.empty() && runs_.front().number <= last) {
    if (is_settling_) {
      settled_one_.wait(lock);
      continue;
    }
    is_settling_ = true;
    const Run& oldest = runs_.front();
    lock.unlock();
    const Status status = Wait(function, *oldest.executor);
    lock.lock();
    if (!status.ok() && error_.ok()) {
      error_ = status;
      failed_run_ = oldest.number;
    }
    Runs settled;
    settled.splice(settled.begin(), runs_, runs_.begin());
    is_settling_ = false;
    settled_one_.notify_all();
    // An executor may end here, which has its own business with the device.
    lock.unlock();
    settled.clear();
    lock.lock();
  }
}

uint64_t PendingRuns::failed_run() const noexcept {
  const std::lock_guard lock(mutex_);
  return failed_run_;
}

Status PendingRuns::TakeError() noexcept {
  const std::lock_guard lock(mutex_);
  const Status error = error_;
  error_ = {};
  failed_run_ = 0;
  return error;
}

}  // namespace roipool::aclnn
