#include "workspace.h"

#include <roipool/executor.h>

#include <new>

namespace roipool::python {

void Workspace::Free::operator()(std::byte* memory) const noexcept {
  ::operator delete[](memory, std::align_val_t(kWorkspaceAlignment));
}

Workspace::Lease Workspace::Take(uint64_t size) {
  std::unique_lock lock(mutex_);
  if (size > size_) {
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(::operator new[](size, std::align_val_t(kWorkspaceAlignment))));
    size_ = size;
  }
  return {std::move(lock), memory_.get()};
}

uint64_t Workspace::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

void Workspace::Release() {
  const std::lock_guard lock(mutex_);
  memory_.reset();
  size_ = 0;
}

}  // namespace roipool::python
