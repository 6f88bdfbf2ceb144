#include "streams.h"

#include <algorithm>
#include <utility>

#include "driver_state.h"
#include "settings.h"

namespace roipool::fake_cuda {
namespace {

constexpr uint64_t kEverything = ~uint64_t{0};

void* const kLegacyHandle = reinterpret_cast<void*>(1);
void* const kPerThreadHandle = reinterpret_cast<void*>(2);

}  // namespace

Streams& AllStreams() {
  static Streams* const streams = new Streams;
  return *streams;
}

Streams::Streams()
    : default_(std::make_shared<Stream>()), per_thread_(std::make_shared<Stream>()), streams_{default_, per_thread_} {}

std::shared_ptr<Stream> Streams::Create(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  streams_.push_back(stream);
  handles_[stream.get()] = stream;
  return stream;
}

std::shared_ptr<Stream> Streams::Find(void* handle) const {
  if (handle == nullptr || handle == kLegacyHandle) return default_;
  if (handle == kPerThreadHandle) return per_thread_;
  const auto found = handles_.find(handle);
  return found == handles_.end() ? nullptr : found->second;
}

bool Streams::Destroy(void* handle) {
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return false;
  if (found->second->queue.empty()) std::erase(streams_, found->second);
  handles_.erase(found);
  return true;
}

Event* Streams::CreateEvent(unsigned flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  Event* const handle = event.get();
  events_[handle] = std::move(event);
  return handle;
}

Event* Streams::FindEvent(void* handle) const {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second.get();
}

bool Streams::DestroyEvent(void* handle) { return events_.erase(handle) == 1; }

bool Streams::IsBlocking(const Stream& stream) const {
  return &stream != default_.get() && (stream.flags & kStreamNonBlocking) == 0;
}

Status Streams::Submit(const std::shared_ptr<Stream>& stream, std::function<Status()> run, std::shared_ptr<Recording> after) {
  stream->queue.push_back({++last_number_, std::move(run), std::move(after)});
  return CurrentSettings().async ? kSuccess : RunUpTo(*stream, kEverything);
}

Status Streams::SubmitAndWait(std::function<Status()> run) {
  const Status status = Submit(default_, std::move(run));
  return status != kSuccess ? status : RunUpTo(*default_, kEverything);
}

Status Streams::Record(const std::shared_ptr<Stream>& stream, Event& event) {
  auto recording = std::make_shared<Recording>();
  recording->stream = stream;
  recording->number = last_number_ + 1;
  event.last = recording;
  return Submit(stream, [recording] {
    recording->done = true;
    recording->when = std::chrono::steady_clock::now();
    return kSuccess;
  });
}

Status Streams::Wait(const std::shared_ptr<Stream>& stream) {
  if (stream == default_) {
    const Status status = RunBlockingUpTo(kEverything);
    if (status != kSuccess) return status;
  }
  return RunUpTo(*stream, kEverything);
}

Status Streams::Wait(const Recording& recording) {
  return recording.done ? kSuccess : RunUpTo(*recording.stream, recording.number);
}

Status Streams::WaitForAll() {
  const auto streams = streams_;
  for (const auto& stream : streams) {
    const Status status = RunUpTo(*stream, kEverything);
    if (status != kSuccess) return status;
  }
  std::erase_if(streams_, [&](const std::shared_ptr<Stream>& stream) {
    return stream != default_ && stream != per_thread_ && handles_.count(stream.get()) == 0;
  });
  return kSuccess;
}

Status Streams::Poll(const std::shared_ptr<Stream>& stream) {
  // The default stream answers for all that block it.
  const auto pending = [&] {
    Stream* first = stream->queue.empty() ? nullptr : stream.get();
    if (stream != default_) return first;
    for (const auto& other : streams_) {
      if (!IsBlocking(*other) || other->queue.empty()) continue;
      if (first == nullptr || other->queue.front().number < first->queue.front().number) first = other.get();
    }
    return first;
  };
  if (Stream* first = pending()) {
    const Status status = RunFirst(*first);
    if (status != kSuccess) return status;
  }
  return pending() == nullptr ? kSuccess : kNotReady;
}

Status Streams::Poll(const Recording& recording) {
  const auto pending = [&] {
    const auto& queue = recording.stream->queue;
    return !recording.done && !queue.empty() && queue.front().number <= recording.number;
  };
  if (pending()) {
    const Status status = RunFirst(*recording.stream);
    if (status != kSuccess) return status;
  }
  return pending() ? kNotReady : kSuccess;
}

void Streams::Drop() {
  for (const auto& stream : streams_) stream->queue.clear();
}

void Streams::DestroyAll() {
  Drop();
  handles_.clear();
  events_.clear();
  streams_ = {default_, per_thread_};
}

Status Streams::RunBlockingUpTo(uint64_t number) {
  const auto streams = streams_;
  for (const auto& stream : streams) {
    if (!IsBlocking(*stream)) continue;
    const Status status = RunUpTo(*stream, number);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

Status Streams::RunUpTo(Stream& stream, uint64_t number) {
  while (!stream.queue.empty() && stream.queue.front().number <= number) {
    const Status status = RunFirst(stream);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

// What an operation waits for has a smaller number, so that this ends.
Status Streams::RunFirst(Stream& stream) {
  const Operation operation = std::move(stream.queue.front());
  stream.queue.pop_front();
  Status status = kSuccess;
  if (&stream == default_.get()) {
    status = RunBlockingUpTo(operation.number);
  } else if (IsBlocking(stream)) {
    status = RunUpTo(*default_, operation.number);
  }
  if (status == kSuccess && operation.after != nullptr) status = Wait(*operation.after);
  if (status != kSuccess) return status;
  status = operation.run();
  if (status != kSuccess && CurrentSettings().async) {
    State().error = status;
    Drop();
  }
  return status;
}

}  // namespace roipool::fake_cuda
