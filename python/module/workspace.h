// Scratch memory that grows to what its largest call needed and is kept for the next one.
#ifndef ROIPOOL_PYTHON_WORKSPACE_H_
#define ROIPOOL_PYTHON_WORKSPACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace roipool::python {

/// Thread-safe: calls that share one take turns.
class Workspace {
 public:
  /// The memory, for as long as the lease lives.
  class Lease {
   public:
    void* data() const noexcept { return data_; }

   private:
    friend class Workspace;
    Lease(std::unique_lock<std::mutex> lock, void* data) noexcept : lock_(std::move(lock)), data_(data) {}
    std::unique_lock<std::mutex> lock_;
    void* data_;
  };

  /// Waits until no other lease is out; so never called under the GIL, which the other's owner may be waiting for.
  /// std::bad_alloc: the memory is not to be had; what was held before is gone then.
  Lease Take(uint64_t size);

  /// Bytes held now.
  uint64_t size() const;
  /// Gives the memory back; the next call takes it anew.
  void Release();

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  mutable std::mutex mutex_;
  std::unique_ptr<std::byte[], Free> memory_;
  uint64_t size_ = 0;
};

}  // namespace roipool::python

#endif  // ROIPOOL_PYTHON_WORKSPACE_H_
