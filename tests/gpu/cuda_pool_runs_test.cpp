// Runs of the forward on CUDA that are not waited for; see cuda_runs_test.cpp.
#include <gmock/gmock.h>

#include <memory>

#include "cuda_device.h"
#include "cuda_stream.h"
#include "driver_stand_in.h"
#include "environment.h"
#include "operators.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

class CudaPoolRuns : public testing::Test {
 protected:
  using DeviceTensors = CudaTensors<RoiPoolArgs>;

  void SetUp() override {
    if (const std::string reason = WhyNoStandIn(); !reason.empty()) GTEST_SKIP() << reason;
    ASSERT_EQ(WhyNoCuda(), "");
    stream_ = std::make_unique<CudaStream>();
    bad_.rois.SetNumber(12, NAN);
    bad_tensors_ = std::make_unique<DeviceTensors>(bad_.args());
    good_tensors_ = std::make_unique<DeviceTensors>(good_.args());
  }

  ExecutorPtr Plan(const DeviceTensors& tensors) {
    Options options;
    options.device = Device::kCuda;
    options.repeatable = true;
    options.device_stream = stream_->handle();
    ExecutorPtr executor;
    EXPECT_OK(RoiPoolGetWorkspaceSize(tensors.args(), options, &size_, &executor));
    if (workspace_ == nullptr) workspace_ = std::make_unique<CudaMemory>(size_);
    return executor;
  }
  Status Run(Executor* executor) { return RoiPool(workspace_->address(), size_, executor); }
  void ExpectGoodResults() {
    good_tensors_->CopyResultsBack();
    EXPECT_TRUE(ResultBytes<PoolOperator>(good_) == ExpectedBytes<PoolOperator>({}));
  }

  std::unique_ptr<CudaStream> stream_;
  PoolProblem bad_{PoolCase()}, good_{PoolCase()};
  std::unique_ptr<DeviceTensors> bad_tensors_, good_tensors_;
  uint64_t size_ = 0;
  std::unique_ptr<CudaMemory> workspace_;
};

constexpr const char* kBadBox = "rois[2, 2] is ";

TEST_F(CudaPoolRuns, MayShareAWorkspaceInTheStreamsOrder) {
  const ExecutorPtr bad = Plan(*bad_tensors_), good = Plan(*good_tensors_);
  ASSERT_OK(Run(bad.get()));
  ASSERT_OK(Run(good.get()));
  ASSERT_EQ(CallCuda("cuMemsetD8Async", reinterpret_cast<uint64_t>(workspace_->address()), static_cast<unsigned char>(0xff),
                     size_t{size_}, stream_->handle()),
            0);
  EXPECT_OK(Synchronize(good.get()));
  ExpectGoodResults();
  EXPECT_FAILS(Synchronize(bad.get()), StatusCode::kOutOfRange, kBadBox);
  EXPECT_OK(Synchronize(bad.get())) << "told once";
}

TEST_F(CudaPoolRuns, AnErrorOutlivesManyRunsOnOtherData) {
  const ExecutorPtr executor = Plan(*bad_tensors_);
  ASSERT_OK(Run(executor.get()));
  ASSERT_OK(PoolOperator::SetData(executor.get(), good_tensors_->args()));
  for (int run = 0; run < 300; ++run) ASSERT_OK(Run(executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, kBadBox);
  EXPECT_OK(Synchronize(executor.get()));
  ExpectGoodResults();
}

TEST_F(CudaPoolRuns, MemoryThatIsGoneIsNoDeviceError) {
  const ScopedEnvironment exit_code("FAKE_CUDA_EXITCODE", "0");  // The stand-in reports the copy, which is refused.
  ResetDriver();
  const ExecutorPtr bad = Plan(*bad_tensors_);
  ASSERT_OK(Run(bad.get()));
  bad_tensors_.reset();
  EXPECT_FAILS(Synchronize(bad.get()), StatusCode::kOutOfRange, "an image index was out of range or a box was not finite");
}

// Neither copies nor waits: both would stop a program that has more to launch.
TEST_F(CudaPoolRuns, PhaseTwoOnlyLaunches) {
  const ExecutorPtr executor = Plan(*good_tensors_);
  ASSERT_OK(Run(executor.get()));
  ASSERT_OK(Synchronize(executor.get()));
  ResetDriver();
  ASSERT_OK(Run(executor.get()));
  for (const std::string& call : CallsOfDriver()) {
    for (const char* function : {"cuMemcpy", "cuMemAlloc", "cuStreamSynchronize", "cuCtxSynchronize", "cuModuleLoad"}) {
      EXPECT_THAT(call, testing::Not(testing::StartsWith(function)));
    }
  }
  ASSERT_OK(Synchronize(executor.get()));
}

}  // namespace
}  // namespace roipool::test
