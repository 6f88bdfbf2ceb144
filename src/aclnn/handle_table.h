// Handles that are looked up, never trusted: a stale, foreign or made-up one is found out, not followed.
#ifndef ROIPOOL_SRC_ACLNN_HANDLE_TABLE_H_
#define ROIPOOL_SRC_ACLNN_HANDLE_TABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace roipool::aclnn {

/// A new number, above every address that a program can have: whoever follows it as a pointer faults at once.
inline void* NextHandle() noexcept {
  static std::atomic<uint64_t> counter = 1;
  static_assert(sizeof(void*) == sizeof(uint64_t));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): never followed
  return reinterpret_cast<void*>(counter.fetch_add(1, std::memory_order_relaxed) | UINT64_C(1) << 63);
}

/// The objects behind the handles of one kind. A handle is a number that no other handle in the process ever has, of any kind.
/// Objects are shared, so that one that is destroyed while another thread uses it lives until that use ends. Thread-safe.
template <typename Object>
class HandleTable {
 public:
  /// The table outlives every other static object, so that handles may be destroyed at exit.
  static HandleTable& Instance() {
    static auto& table = *new HandleTable;
    return table;
  }

  /// May throw std::bad_alloc.
  void* Add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    void* handle = NextHandle();
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// Null if `handle` is not live.
  std::shared_ptr<Object> Find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// All objects whose handles are live. May throw std::bad_alloc.
  std::vector<std::shared_ptr<Object>> All() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> objects;
    objects.reserve(objects_.size());
    for (const auto& [handle, object] : objects_) objects.push_back(object);
    return objects;
  }

  /// Takes the object out; null if `handle` is not live.
  std::shared_ptr<Object> Remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<Object>> objects_;
};

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_HANDLE_TABLE_H_
