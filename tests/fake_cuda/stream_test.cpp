// Work on streams is done when somebody waits for it, and not before.
#include <cstring>

#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

constexpr unsigned kBlocking = 0, kNonBlocking = 1;

class Streams : public FakeCuda {
 protected:
  Streams() {
    EXPECT_EQ(cuMemAllocHost_v2(&pinned_, 64), kSuccess);
    EXPECT_EQ(cuMemAlloc_v2(&memory_, 64), kSuccess);
    EXPECT_EQ(cuMemsetD32_v2(memory_, 0, 16), kSuccess);
    EXPECT_EQ(cuCtxSynchronize(), kSuccess);
    value() = 99;
  }
  ~Streams() override {
    fake_cuda_reset();
    for (void* stream : streams_) EXPECT_EQ(cuStreamDestroy_v2(stream), kSuccess);
    for (void* event : events_) EXPECT_EQ(cuEventDestroy_v2(event), kSuccess);
    EXPECT_EQ(cuMemFree_v2(memory_), kSuccess);
    if (pinned_ == nullptr) return;
    EXPECT_EQ(cuMemFreeHost(pinned_), kSuccess);
  }

  // Its context has ended, and all that was in it.
  void ForgetAll() {
    streams_.clear();
    events_.clear();
    memory_ = 0;
    pinned_ = nullptr;
  }

  // Pinned host memory.
  uint32_t& value() { return *static_cast<uint32_t*>(pinned_); }
  uint64_t memory() const { return memory_; }

  void* NewStream(unsigned flags = kNonBlocking) {
    void* stream = nullptr;
    EXPECT_EQ(cuStreamCreate(&stream, flags), kSuccess);
    streams_.push_back(stream);
    return stream;
  }
  void* NewEvent() {
    void* event = nullptr;
    EXPECT_EQ(cuEventCreate(&event, 0), kSuccess);
    events_.push_back(event);
    return event;
  }
  void Set32(uint32_t value, void* stream) { EXPECT_EQ(cuMemsetD32Async(memory_, value, 1, stream), kSuccess); }
  void Fetch(void* stream) { EXPECT_EQ(cuMemcpyDtoHAsync_v2(pinned_, memory_, 4, stream), kSuccess); }
  void Record(void* event, void* stream) { EXPECT_EQ(cuEventRecord(event, stream), kSuccess); }

 private:
  void* pinned_ = nullptr;
  uint64_t memory_ = 0;
  std::vector<void*> streams_, events_;
};

TEST_F(Streams, WorkWaits) {
  const Kernel kernel("st.global.u32 [%rd2], 5;");
  void* stream = NewStream();
  ASSERT_EQ(kernel.Launch(memory(), {}, stream), kSuccess);
  Fetch(stream);
  EXPECT_EQ(value(), 99u);
  EXPECT_EQ(cuStreamSynchronize(NewStream()), kSuccess);
  EXPECT_EQ(value(), 99u) << "another stream";
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, WorkIsDoneInOrder) {
  void* stream = NewStream();
  for (uint32_t i = 1; i < 4; i++) Set32(i, stream);
  Fetch(stream);
  Set32(7, stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 3u);
}

TEST_F(Streams, WorkIsDoneAtOnceIfAsked) {
  Set("FAKE_CUDA_ASYNC", "0");
  void* stream = NewStream();
  Set32(5, stream);
  Fetch(stream);
  EXPECT_EQ(value(), 5u);
  const Kernel kernel("st.global.u32 [%rd2+64], 5;");
  EXPECT_EQ(kernel.Launch(memory(), {}, stream), kIllegalAddress);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess) << "the error does not stay";
}

TEST_F(Streams, TheContextWaitsForAll) {
  void *one = NewStream(kNonBlocking), *two = NewStream(kBlocking);
  Set32(5, two);
  Fetch(one);
  EXPECT_EQ(value(), 99u);
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  EXPECT_NE(value(), 99u);
}

TEST_F(Streams, AFreeWaitsForAll) {
  void* stream = NewStream();
  Set32(5, stream);
  Fetch(stream);
  uint64_t other;
  ASSERT_EQ(cuMemAlloc_v2(&other, 4), kSuccess);
  EXPECT_EQ(value(), 99u);
  EXPECT_EQ(cuMemFree_v2(other), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, TheDefaultStreamFollowsBlockingStreams) {
  Set32(5, NewStream(kBlocking));
  Fetch(nullptr);
  EXPECT_EQ(cuStreamSynchronize(nullptr), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, BlockingStreamsFollowTheDefaultStream) {
  void* stream = NewStream(kBlocking);
  Set32(5, nullptr);
  Fetch(stream);
  Set32(6, nullptr);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, NonBlockingStreamsDoNotMeetTheDefaultStream) {
  void* stream = NewStream(kNonBlocking);
  Set32(5, stream);
  Fetch(nullptr);
  EXPECT_EQ(cuStreamSynchronize(nullptr), kSuccess);
  EXPECT_EQ(value(), 0u);
  Set32(6, nullptr);
  Fetch(stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, ASynchronousCopyWaitsForBlockingStreamsAlone) {
  uint32_t now = 0;
  Set32(5, NewStream(kBlocking));
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 5u);
  Set32(6, NewStream(kNonBlocking));
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 5u);
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 6u);
}

TEST_F(Streams, EventsOrderStreams) {
  void *one = NewStream(), *two = NewStream(), *event = NewEvent();
  Set32(5, one);
  Record(event, one);
  Set32(6, one);
  EXPECT_EQ(cuStreamWaitEvent(two, event, 0), kSuccess);
  Fetch(two);
  EXPECT_EQ(cuStreamSynchronize(two), kSuccess);
  EXPECT_EQ(value(), 5u) << "nothing after the recording";
}

TEST_F(Streams, AnEventMeansItsLastRecordingBeforeTheWait) {
  void *one = NewStream(), *two = NewStream(), *event = NewEvent();
  Record(event, one);
  Set32(5, one);
  EXPECT_EQ(cuStreamWaitEvent(two, event, 0), kSuccess);
  Record(event, one);
  Fetch(two);
  EXPECT_EQ(cuStreamSynchronize(two), kSuccess);
  EXPECT_EQ(value(), 0u);
}

TEST_F(Streams, EventsOrderWorkThatADestroyedEventWasRecordedFor) {
  void *one = NewStream(), *two = NewStream(), *event;
  ASSERT_EQ(cuEventCreate(&event, 0), kSuccess);
  Set32(5, one);
  Record(event, one);
  EXPECT_EQ(cuStreamWaitEvent(two, event, 0), kSuccess);
  EXPECT_EQ(cuEventDestroy_v2(event), kSuccess);
  Fetch(two);
  EXPECT_EQ(cuStreamSynchronize(two), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, AnEventIsWaitedForAlone) {
  void *stream = NewStream(), *event = NewEvent();
  EXPECT_EQ(cuEventSynchronize(event), kSuccess) << "not recorded yet";
  Set32(5, stream);
  Record(event, stream);
  Fetch(stream);
  EXPECT_EQ(cuEventSynchronize(event), kSuccess);
  EXPECT_EQ(value(), 99u);
  uint32_t now = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 5u);
}

TEST_F(Streams, QueriesDoAStepAtATime) {
  void *stream = NewStream(), *event = NewEvent();
  Set32(5, stream);
  Fetch(stream);
  Record(event, stream);
  EXPECT_EQ(cuStreamQuery(stream), kNotReady);
  EXPECT_EQ(value(), 99u);
  EXPECT_EQ(cuEventQuery(event), kNotReady);
  EXPECT_EQ(value(), 5u);
  EXPECT_EQ(cuEventQuery(event), kSuccess);
  EXPECT_EQ(cuStreamQuery(stream), kSuccess);
  value() = 99;
  Fetch(stream);
  Fetch(stream);
  EXPECT_EQ(cuStreamQuery(nullptr), kSuccess) << "the default stream";
  EXPECT_EQ(value(), 99u);
}

TEST_F(Streams, TimeBetweenEvents) {
  void *stream = NewStream(), *start = NewEvent(), *end = NewEvent();
  float milliseconds = -1;
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, end), kInvalidHandle);
  Record(start, stream);
  Record(end, stream);
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, end), kNotReady);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, end), kSuccess);
  EXPECT_GE(milliseconds, 0);
}

TEST_F(Streams, PageableMemoryIsReadAtOnce) {
  void* stream = NewStream();
  uint32_t pageable = 5;
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(memory(), &pageable, 4, stream), kSuccess);
  pageable = 6;
  Fetch(stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, PinnedMemoryIsReadLater) {
  void* stream = NewStream();
  value() = 5;
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(memory(), &value(), 4, stream), kSuccess);
  value() = 6;
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  uint32_t now = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 6u);
}

TEST_F(Streams, ArgumentsAreCopiedByTheLaunch) {
  const Kernel kernel("st.global.u32 [%rd2], %r2;");
  void* stream = NewStream();
  Shape shape = {.n = 5};
  ASSERT_EQ(kernel.Launch(memory(), shape, stream), kSuccess);
  shape.n = 6;
  Fetch(stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, UnloadingAModuleDoesItsWorkFirst) {
  void* stream = NewStream();
  {
    const Kernel kernel("st.global.u32 [%rd2], 5;");
    ASSERT_EQ(kernel.Launch(memory(), {}, stream), kSuccess);
  }
  Fetch(stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 5u);
}

TEST_F(Streams, WorkOfADestroyedStreamIsDone) {
  void* stream;
  ASSERT_EQ(cuStreamCreate(&stream, kNonBlocking), kSuccess);
  Set32(5, stream);
  Fetch(stream);
  EXPECT_EQ(cuStreamDestroy_v2(stream), kSuccess);
  EXPECT_EQ(value(), 99u) << "the call waits for nothing";
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  EXPECT_EQ(value(), 5u);
  EXPECT_EQ(cuStreamSynchronize(stream), kInvalidHandle);
  EXPECT_EQ(cuStreamDestroy_v2(stream), kInvalidHandle);
  EXPECT_EQ(cuMemsetD32Async(memory(), 1, 1, stream), kInvalidHandle);
}

TEST_F(Streams, AnErrorIsReturnedByWhoWaitsAndStays) {
  const Kernel wrong("st.global.u32 [%rd2+64], 5;");
  void *stream = NewStream(), *other = NewStream();
  ASSERT_EQ(wrong.Launch(memory(), {}, stream), kSuccess);
  Set32(5, stream);
  EXPECT_EQ(cuStreamSynchronize(other), kSuccess);
  EXPECT_EQ(cuStreamSynchronize(stream), kIllegalAddress);
  uint32_t now = 0;
  uint64_t allocated;
  EXPECT_EQ(cuStreamSynchronize(other), kIllegalAddress);
  EXPECT_EQ(cuCtxSynchronize(), kIllegalAddress);
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kIllegalAddress);
  EXPECT_EQ(cuMemAlloc_v2(&allocated, 4), kIllegalAddress);
  EXPECT_EQ(wrong.Launch(memory(), {}, stream), kIllegalAddress);
  fake_cuda_reset();
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 0u) << "what was queued behind the error is not done";
}

TEST_F(Streams, AnErrorEndsWithTheContext) {
  const Kernel wrong("st.global.u32 [%rd2+64], 5;");
  void *stream = NewStream(), *context, *same;
  uint32_t result = 99;
  ASSERT_EQ(wrong.Launch(memory(), {}, stream), kSuccess);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&result, memory(), 4, stream), kSuccess);
  EXPECT_EQ(cuCtxSynchronize(), kIllegalAddress);
  EXPECT_EQ(cuStreamGetCtx(stream, &context), kSuccess);
  EXPECT_EQ(cuCtxDestroy_v2(context), kSuccess);
  EXPECT_EQ(cuCtxCreate_v2(&same, 0, 0), kSuccess);
  ForgetAll();
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  EXPECT_EQ(result, 99u);
}

TEST_F(Streams, AnErrorIsReturnedByACopyThatWaits) {
  const Kernel wrong("st.global.u32 [%rd2+64], 5;");
  ASSERT_EQ(wrong.Launch(memory(), {}), kSuccess);
  uint32_t now = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kIllegalAddress);
}

TEST_F(Streams, WrongArgumentsAreRefusedAtOnce) {
  void* stream = NewStream();
  EXPECT_EQ(cuMemsetD32Async(memory(), 1, 17, stream), kInvalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(memory() + 61, &value(), 4, stream), kInvalidValue);
  EXPECT_EQ(Kernel("").Launch(memory(), {1, 2000}, stream), kInvalidValue);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
}

TEST_F(Streams, MemoryOfAStream) {
  void* stream = NewStream();
  uint64_t own;
  ASSERT_EQ(cuMemAllocAsync(&own, 4, stream), kSuccess);
  EXPECT_EQ(cuMemsetD32Async(own, 5, 1, stream), kSuccess);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&value(), own, 4, stream), kSuccess);
  EXPECT_EQ(cuMemFreeAsync(own, stream), kSuccess);
  EXPECT_EQ(cuMemsetD32Async(own, 6, 1, stream), kSuccess) << "not freed yet";
  EXPECT_EQ(cuStreamSynchronize(stream), kIllegalAddress) << "use after free";
  EXPECT_EQ(value(), 5u);
  fake_cuda_reset();
  EXPECT_EQ(cuMemFreeAsync(own, stream), kInvalidValue) << "freed twice";
}

TEST_F(Streams, HostFunctionsTakeTheirTurn) {
  void* stream = NewStream();
  struct Seen {
    uint32_t* value;
    uint32_t before;
    int status;
  } seen = {&value(), 0, 0};
  Set32(5, stream);
  Fetch(stream);
  const auto look = [](void* argument) {
    auto* const where = static_cast<Seen*>(argument);
    where->before = *where->value;
    *where->value = 7;
    where->status = cuCtxSynchronize();
  };
  EXPECT_EQ(cuLaunchHostFunc(stream, look, &seen), kSuccess);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(memory(), &value(), 4, stream), kSuccess);
  EXPECT_EQ(seen.before, 0u);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(seen.before, 5u);
  EXPECT_EQ(seen.status, kNotPermitted);
  uint32_t now = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&now, memory(), 4), kSuccess);
  EXPECT_EQ(now, 7u);
}

TEST_F(Streams, TheResetForgetsWork) {
  void *stream = NewStream(), *event = NewEvent();
  Set32(5, stream);
  Record(event, stream);
  fake_cuda_reset();
  EXPECT_EQ(cuStreamQuery(stream), kSuccess);
  EXPECT_EQ(cuEventQuery(event), kSuccess);
  Fetch(stream);
  EXPECT_EQ(cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(value(), 0u);
}

TEST_F(Streams, KnowTheirContext) {
  void *context = nullptr, *other = nullptr;
  EXPECT_EQ(cuStreamGetCtx(NewStream(), &context), kSuccess);
  EXPECT_EQ(cuStreamGetCtx(nullptr, &other), kSuccess);
  EXPECT_NE(context, nullptr);
  EXPECT_EQ(context, other);
  EXPECT_EQ(cuStreamGetCtx(&other, &context), kInvalidHandle);
}

}  // namespace
}  // namespace roipool::fake_cuda
