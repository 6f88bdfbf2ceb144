// Calls on a device that change between the phases, and many at once.
#include <cmath>
#include <memory>
#include <thread>

#include "cuda_call.h"
#include "cuda_device.h"
#include "kernel_rows.h"
#include "operators.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// A planned call, where its device wants the tensors.
template <typename Op>
class DeviceCall {
 public:
  DeviceCall(typename Op::Args args, Options options) {
    options.repeatable = true;
    if (options.device == Device::kCuda) {
      tensors_ = std::make_unique<CudaTensors<typename Op::Args>>(args);
      args = tensors_->args();
    }
    EXPECT_OK(Op::Phase1(args, options, &size_, &executor_));
    if (options.device == Device::kCuda) {
      device_workspace_ = std::make_unique<CudaMemory>(size_);
    } else {
      host_workspace_ = std::make_unique<GuardedBuffer>(MakeWorkspace(size_));
    }
  }

  // Phase 2 on what the problem's tensors hold now.
  Status Run() {
    if (tensors_ != nullptr) tensors_->CopyAgain();
    void* const workspace = host_workspace_ != nullptr ? host_workspace_->data() : device_workspace_->address();
    Status status = Op::Phase2(workspace, size_, executor_.get());
    if (status.ok()) status = Synchronize(executor_.get());
    if (tensors_ != nullptr) tensors_->CopyBack();
    EXPECT_EQ(host_workspace_ != nullptr ? host_workspace_->FindDamage() : "", "");
    return status;
  }

  // Spoils one element for one run.
  void ExpectErrorOf(Tensor& tensor, int64_t position, double number, const char* name) {
    const uint64_t before = tensor.Bits(position);
    tensor.SetNumber(position, number);
    EXPECT_FAILS(Run(), StatusCode::kOutOfRange, name + tensor.CoordinatesOf(position) + " is ");
    tensor.SetBits(position, before);
    ASSERT_OK(Run());
  }

 private:
  std::unique_ptr<CudaTensors<typename Op::Args>> tensors_;
  std::unique_ptr<CudaMemory> device_workspace_;
  std::unique_ptr<GuardedBuffer> host_workspace_;
  uint64_t size_ = 0;
  ExecutorPtr executor_;
};

class DeviceCalls : public PerKernel {};

// S4: what phase 1 has seen counts for nothing.
TEST_P(DeviceCalls, ContentsMayChangeBetweenThePhases) {
  for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64}) {
    GradProblem problem(GradCase().Type(GetParam().type).ArgmaxType(argmax_type).GradInputStrides(Strides::kPadded));
    DeviceCall<GradOperator> call(problem.args(), OptionsFor(GetParam()));
    const auto expect_error_of = [&](Tensor& tensor, int64_t position, double number, const char* name) {
      ASSERT_NO_FATAL_FAILURE(call.ExpectErrorOf(tensor, position, number, name));
      EXPECT_TRUE(SameGradient(problem, OptionsFor(GetParam())));
    };
    ASSERT_OK(call.Run());
    for (const double pixel : {35.0, -2.0, 2147483647.0}) expect_error_of(problem.argmax, 100, pixel, "argmax");
    for (const double image : {2.0, -1.0, 3e38, static_cast<double>(NAN)}) expect_error_of(problem.rois, 10, image, "rois");
    for (const Tensor* tensor : {&problem.grad_output, &problem.argmax, &problem.rois, &problem.grad_input}) {
      EXPECT_EQ(tensor->FindDamage(), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceCalls, testing::ValuesIn(GradRows()), RowName);

class DevicePoolCalls : public PerKernel {};

TEST_P(DevicePoolCalls, ContentsMayChangeBetweenThePhases) {
  PoolProblem problem(PoolCase().Type(GetParam().type).YStrides(Strides::kPadded));
  ASSERT_OK(RunPool(problem.args(), OptionsFor(GetParam())).status);
  const std::vector<std::byte> expected = ResultBytes<PoolOperator>(problem);
  DeviceCall<PoolOperator> call(problem.args(), OptionsFor(GetParam()));
  const auto expect_error_of = [&](int64_t position, double number) {
    ASSERT_NO_FATAL_FAILURE(call.ExpectErrorOf(problem.rois, position, number, "rois"));
    EXPECT_TRUE(ResultBytes<PoolOperator>(problem) == expected);
  };
  ASSERT_OK(call.Run());
  for (const double image : {2.0, -1.0, 3e38, static_cast<double>(NAN)}) expect_error_of(10, image);
  for (const double coordinate : {HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)}) expect_error_of(17, coordinate);
  for (const Tensor* tensor : PoolOperator::Tensors(problem)) EXPECT_EQ(tensor->FindDamage(), "");
}

INSTANTIATE_TEST_SUITE_P(All, DevicePoolCalls, testing::ValuesIn(PoolRows()), RowName);

// One thread for every kernel, the first calls of the process among them: call_repeatedly(row, options, caller) makes them.
template <typename CallRepeatedly>
void CallFromEveryThread(const std::vector<KernelRow>& rows, const CallRepeatedly& call_repeatedly) {
  std::vector<std::thread> callers;
  for (const KernelRow& row : rows) {
    callers.emplace_back([row, &call_repeatedly, caller = static_cast<int64_t>(callers.size())] {
      SCOPED_TRACE(row.name);
      Options options = OptionsFor(row);
      if (row.device == Device::kCuda) {
        ASSERT_EQ(WhyNoCuda(), "");
        ASSERT_EQ(CallCuda("cuStreamCreate", &options.device_stream, 0u), 0);
      }
      call_repeatedly(row, options, caller);
      if (row.device != Device::kCuda) return;
      EXPECT_EQ(CallCuda("cuStreamDestroy_v2", options.device_stream), 0);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

// Good calls and bad ones.
TEST(DeviceThreads, EveryCallGetsItsOwnResult) {
  if (const std::string reason = WhyNotHere(GradRows().front()); !reason.empty()) GTEST_SKIP() << reason;
  CallFromEveryThread(GradRows(), [](const KernelRow& row, const Options& options, int64_t caller) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      GradProblem problem(GradCase().Type(row.type).Rois(5 + caller).Channels(3 + repeat).Seed(1 + caller));
      const bool is_bad = (caller + repeat) % 3 == 0;
      if (is_bad) problem.argmax.SetNumber(caller, static_cast<double>(1000 + caller));
      const Status status = RunGrad(problem.args(), options).status;
      if (is_bad) {
        EXPECT_FAILS(status, StatusCode::kOutOfRange,
                     "argmax" + problem.argmax.CoordinatesOf(caller) + " is " + std::to_string(1000 + caller) + ",");
      } else {
        EXPECT_OK(status);
        EXPECT_TRUE(SameGradient(problem, options)) << "repeat " << repeat;
      }
    }
  });
}

TEST(DeviceThreads, EveryForwardGetsItsOwnResult) {
  if (const std::string reason = WhyNotHere(PoolRows().front()); !reason.empty()) GTEST_SKIP() << reason;
  CallFromEveryThread(PoolRows(), [](const KernelRow& row, const Options& options, int64_t caller) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      const PoolCase c =
          PoolCase().Type(row.type).Rois(5 + caller).Channels(3 + repeat).Seed(1 + static_cast<uint64_t>(caller));
      PoolProblem problem(c);
      const bool is_bad = (caller + repeat) % 3 == 0;
      if (is_bad) problem.rois.SetNumber(5 * caller, static_cast<double>(1000 + caller));
      const Status status = RunPool(problem.args(), options).status;
      if (is_bad) {
        const std::string position = "rois[" + std::to_string(caller) + ", 0] is ";
        EXPECT_FAILS(status, StatusCode::kOutOfRange, position);
      } else {
        EXPECT_OK(status);
        EXPECT_TRUE(ResultBytes<PoolOperator>(problem) == ExpectedBytes<PoolOperator>(c)) << "repeat " << repeat;
      }
    }
  });
}

}  // namespace
}  // namespace roipool::test
