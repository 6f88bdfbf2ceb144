#include "unsettled_run.h"

#include <utility>

#include "cuda_words.h"

namespace roipool::internal {

VerdictWord::~VerdictWord() {
  const bool is_cuda = memory_.handle != 0 && object_.memory().handle == 0;
  if (is_cuda) ReturnCudaWord(queue_, memory_.handle, is_settled_);
}

VerdictWord::VerdictWord(VerdictWord&& other) noexcept
    : queue_(other.queue_),
      memory_(std::exchange(other.memory_, {})),
      is_settled_(other.is_settled_),
      object_(std::move(other.object_)) {}

VerdictWord& VerdictWord::operator=(VerdictWord&& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(memory_, other.memory_);
  std::swap(is_settled_, other.is_settled_);
  object_ = std::move(other.object_);
  return *this;
}

Status VerdictWord::Take(const char* function, Device device, const DeviceQueue& queue) noexcept {
  queue_ = queue;
  if (device == Device::kCuda) return TakeCudaWord(function, queue, &memory_.handle);
  const Status status = object_.Create(function, queue.context, sizeof(uint64_t));
  memory_ = object_.memory();
  return status;
}

}  // namespace roipool::internal
