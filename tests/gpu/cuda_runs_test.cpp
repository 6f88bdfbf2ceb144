// Runs on CUDA that are not waited for: their workspace is used again, others follow, memory goes; and what the library keeps
// for a context.
#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "compare.h"
#include "cuda_call.h"
#include "cuda_device.h"
#include "cuda_stream.h"
#include "driver_stand_in.h"
#include "environment.h"
#include "kernel_rows.h"
#include "roipool/device.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// A problem in device memory.
struct DeviceProblem {
  explicit DeviceProblem(GradCase c = {}) : problem(c) {}

  void MakeBad() { problem.argmax.SetNumber(7, 35); }
  RoiPoolGradArgs Upload() {
    tensors = std::make_unique<CudaTensors<RoiPoolGradArgs>>(problem.args());
    return tensors->args();
  }
  void ExpectRightResult() {
    tensors->CopyResultsBack();
    EXPECT_TRUE(SameGradient(problem, OptionsOnCuda()));
  }
  static Options OptionsOnCuda() {
    Options options;
    options.device = Device::kCuda;
    options.repeatable = true;
    return options;
  }

  GradProblem problem;
  std::unique_ptr<CudaTensors<RoiPoolGradArgs>> tensors;
};

class CudaRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = WhyNoStandIn(); !reason.empty()) GTEST_SKIP() << reason;
    ASSERT_EQ(WhyNoCuda(), "");
    stream_ = std::make_unique<CudaStream>();
    bad_.MakeBad();
  }

  ExecutorPtr Plan(const RoiPoolGradArgs& args, const CudaStream& stream) {
    Options options = DeviceProblem::OptionsOnCuda();
    options.device_stream = stream.handle();
    ExecutorPtr executor;
    EXPECT_OK(RoiPoolGradGetWorkspaceSize(args, options, &size_, &executor));
    if (workspace_ == nullptr) workspace_ = std::make_unique<CudaMemory>(size_);
    return executor;
  }
  Status Run(Executor* executor) { return RoiPoolGrad(workspace_->address(), size_, executor); }
  ExecutorPtr RunBadThenGiveGoodData() {
    ExecutorPtr executor = Plan(bad_.Upload(), *stream_);
    EXPECT_OK(Run(executor.get()));
    const RoiPoolGradArgs good = good_.Upload();
    EXPECT_OK(
        SetRoiPoolGradData(executor.get(), good.grad_output.data, good.argmax.data, good.rois.data, good.grad_input.data));
    return executor;
  }

  std::unique_ptr<CudaStream> stream_;
  DeviceProblem bad_, good_;
  uint64_t size_ = 0;
  std::unique_ptr<CudaMemory> workspace_;
};

constexpr const char* kBadEntry = "argmax[0, 0, 2, 1] is 35";

TEST_F(CudaRuns, MayShareAWorkspaceInTheStreamsOrder) {
  const ExecutorPtr bad = Plan(bad_.Upload(), *stream_), good = Plan(good_.Upload(), *stream_);
  ASSERT_OK(Run(bad.get()));
  ASSERT_OK(Run(good.get()));
  ASSERT_EQ(CallCuda("cuMemsetD8Async", reinterpret_cast<uint64_t>(workspace_->address()), static_cast<unsigned char>(0xff),
                     size_t{size_}, stream_->handle()),
            0);
  EXPECT_OK(Synchronize(good.get()));
  good_.ExpectRightResult();
  EXPECT_FAILS(Synchronize(bad.get()), StatusCode::kOutOfRange, kBadEntry);
  EXPECT_OK(Synchronize(bad.get())) << "told once";
}

TEST_F(CudaRuns, TheFirstBadOneOfAnExecutorIsTold) {
  const ExecutorPtr executor = RunBadThenGiveGoodData();
  ASSERT_OK(Run(executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, kBadEntry);
  good_.ExpectRightResult();
}

TEST_F(CudaRuns, AnErrorOutlivesManyRunsThatNobodyWaitsFor) {
  const ExecutorPtr executor = RunBadThenGiveGoodData();
  for (int run = 0; run < 300; ++run) ASSERT_OK(Run(executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, kBadEntry);
  EXPECT_OK(Synchronize(executor.get()));
}

TEST_F(CudaRuns, WaitingLeavesOtherStreamsAlone) {
  const CudaStream other;
  const ExecutorPtr executor = Plan(good_.Upload(), *stream_);
  const CudaMemory memory(64);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(CallCuda("cuMemsetD8Async", reinterpret_cast<uint64_t>(memory.address()), static_cast<unsigned char>(1),
                       size_t{64}, other.handle()),
              0);
  }
  ASSERT_OK(Run(executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  EXPECT_FALSE(other.IsDone());
}

TEST_F(CudaRuns, MemoryThatIsGoneIsNoDeviceError) {
  const ScopedEnvironment exit_code("FAKE_CUDA_EXITCODE", "0");  // The stand-in reports the copy, which is refused.
  ResetDriver();
  const ExecutorPtr bad = Plan(bad_.Upload(), *stream_);
  ASSERT_OK(Run(bad.get()));
  bad_.tensors.reset();
  EXPECT_FAILS(Synchronize(bad.get()), StatusCode::kOutOfRange, "an image index or an entry of argmax was out of range");
}

// A run that nobody waits for may still be under way when others have come and gone: its verdict is not theirs.
TEST_F(CudaRuns, ExecutorsMayGoUnsettled) {
  const RoiPoolGradArgs bad_args = bad_.Upload(), good_args = good_.Upload();
  const CudaStream other;
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(Run(Plan(bad_args, *stream_).get()));
    const ExecutorPtr good = Plan(good_args, other);
    const CudaMemory own(size_);
    ASSERT_OK(RoiPoolGrad(own.address(), size_, good.get()));
    for (void* stream : {other.handle(), stream_->handle()}) ASSERT_EQ(CallCuda("cuStreamSynchronize", stream), 0);
    ASSERT_OK(Synchronize(good.get()));
  }
}

int CountCalls(const std::string& function) {
  int count = 0;
  for (const std::string& call : CallsOfDriver()) count += call.substr(0, call.find(' ')) == function;
  return count;
}

TEST_F(CudaRuns, AContextsThingsAreReleased) {
  const RoiPoolGradArgs args = good_.Upload();
  const ExecutorPtr executor = Plan(args, *stream_);
  ASSERT_OK(Run(executor.get()));
  EXPECT_FAILS(ReleaseDevice(Device::kCuda, nullptr), StatusCode::kInvalidState,
               "1 runs in device_context are not synchronized");
  ASSERT_OK(Synchronize(executor.get()));
  ResetDriver();
  void* context = nullptr;
  ASSERT_EQ(CallCuda("cuCtxGetCurrent", &context), 0);
  EXPECT_OK(ReleaseDevice(Device::kCuda, context));
  EXPECT_GT(CountCalls("cuModuleUnload"), 0);
  EXPECT_EQ(CountCalls("cuMemFree_v2"), 1);
  EXPECT_OK(ReleaseDevice(Device::kCuda, context)) << "there is nothing left";
  ASSERT_OK(Run(executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  good_.ExpectRightResult();
  EXPECT_OK(ReleaseDevice(Device::kCuda, nullptr));
}

TEST_F(CudaRuns, ReleasingTellsItsMistakes) {
  EXPECT_OK(ReleaseDevice(Device::kCpu, nullptr));
  EXPECT_FAILS(ReleaseDevice(static_cast<Device>(7), nullptr), StatusCode::kInvalidArgument, "device is 7");
  void* context = nullptr;
  ASSERT_EQ(CallCuda("cuCtxGetCurrent", &context), 0);
  ASSERT_EQ(CallCuda("cuCtxSetCurrent", static_cast<void*>(nullptr)), 0);
  EXPECT_FAILS(ReleaseDevice(Device::kCuda, nullptr), StatusCode::kInvalidState, "no CUDA context is current",
               "device_context");
  ASSERT_EQ(CallCuda("cuCtxSetCurrent", context), 0);
}

}  // namespace
}  // namespace roipool::test
