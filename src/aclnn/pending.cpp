#include "pending.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "error.h"
#include "roi_pool_grad_phases.h"

namespace roipool::aclnn {
namespace {

struct Entry {
  aclrtStream stream;
  std::shared_ptr<OpExecutor> executor;  // Null once it is settled.
  Status status;                         // Then.
};

Status Wait(const char* function, const Entry& entry) {
  if (entry.executor == nullptr) return entry.status;
  const std::lock_guard lock(entry.executor->mutex);
  return internal::SynchronizeExecutor(function, entry.executor->native.get());
}

class Entries {
 public:
  static Entries& Instance() {
    static auto& entries = *new Entries;
    return entries;
  }

  void Add(Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }

  template <typename IsWanted>
  std::vector<Entry> Take(const IsWanted& is_wanted) {
    const std::lock_guard lock(mutex_);
    const auto wanted =
        std::stable_partition(entries_.begin(), entries_.end(), [&](const Entry& entry) { return !is_wanted(entry); });
    std::vector<Entry> taken(std::make_move_iterator(wanted), std::make_move_iterator(entries_.end()));
    entries_.erase(wanted, entries_.end());
    return taken;
  }

 private:
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

int FirstError(const char* function, const std::vector<Entry>& entries) {
  Status first;
  for (const Entry& entry : entries) {
    const Status status = Wait(function, entry);
    if (first.ok()) first = status;
  }
  return FromStatus(first);
}

}  // namespace

void AddPending(aclrtStream stream, std::shared_ptr<OpExecutor> executor) {
  Entries::Instance().Add({stream, std::move(executor), {}});
}

int FinishPending(const char* function, aclrtStream stream) {
  return FirstError(function, Entries::Instance().Take([&](const Entry& entry) { return entry.stream == stream; }));
}

int FinishAllPending(const char* function) {
  return FirstError(function, Entries::Instance().Take([](const Entry&) { return true; }));
}

void SettlePending() {
  for (Entry& entry : Entries::Instance().Take([](const Entry& unsettled) { return unsettled.executor != nullptr; })) {
    Status status = Wait("aclrtSynchronizeStream", entry);
    if (!status.ok()) Entries::Instance().Add({entry.stream, nullptr, status});
  }
}

}  // namespace roipool::aclnn
