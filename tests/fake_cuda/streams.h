// Work on streams: queued, and done when somebody waits for it.
#ifndef ROIPOOL_TESTS_FAKE_CUDA_STREAMS_H_
#define ROIPOOL_TESTS_FAKE_CUDA_STREAMS_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "types.h"

namespace roipool::fake_cuda {

struct Stream;

// One recording of an event.
struct Recording {
  std::shared_ptr<Stream> stream;
  uint64_t number = 0;  // of the operation that records
  bool done = false;
  std::chrono::steady_clock::time_point when;
};

struct Event {
  unsigned flags = 0;
  std::shared_ptr<Recording> last;
};

struct Operation {
  uint64_t number = 0;  // grows with every operation, whatever its stream
  std::function<Status()> run;
  std::shared_ptr<Recording> after;
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::deque<Operation> queue;
};

class Streams {
 public:
  Streams();

  std::shared_ptr<Stream> Create(unsigned flags, int priority);
  // Null: no such stream. The handles 0 and 1 are the default stream, 2 that of the calling thread, which all threads share
  // here.
  std::shared_ptr<Stream> Find(void* handle) const;
  // What is queued is still done.
  bool Destroy(void* handle);

  Event* CreateEvent(unsigned flags);
  // Null: no such event.
  Event* FindEvent(void* handle) const;
  bool DestroyEvent(void* handle);

  // Queues, or with FAKE_CUDA_ASYNC=0 does it.
  Status Submit(const std::shared_ptr<Stream>& stream, std::function<Status()> run, std::shared_ptr<Recording> after = nullptr);
  // Queues on the default stream and waits for it.
  Status SubmitAndWait(std::function<Status()> run);
  Status Record(const std::shared_ptr<Stream>& stream, Event& event);

  Status Wait(const std::shared_ptr<Stream>& stream);
  Status Wait(const Recording& recording);
  Status WaitForAll();
  // Does one operation; kNotReady if more are left then.
  Status Poll(const std::shared_ptr<Stream>& stream);
  Status Poll(const Recording& recording);

  // Forgets all work.
  void Drop();
  // Forgets all work and, but for the default ones, all streams and events.
  void DestroyAll();

 private:
  Status RunUpTo(Stream& stream, uint64_t number);
  Status RunBlockingUpTo(uint64_t number);
  Status RunFirst(Stream& stream);
  bool IsBlocking(const Stream& stream) const;

  uint64_t last_number_ = 0;
  std::shared_ptr<Stream> default_, per_thread_;
  std::vector<std::shared_ptr<Stream>> streams_;  // all, destroyed ones as long as they have work
  std::unordered_map<void*, std::shared_ptr<Stream>> handles_;
  std::unordered_map<void*, std::unique_ptr<Event>> events_;
};

Streams& AllStreams();

constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventDisableTiming = 2;

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_STREAMS_H_
