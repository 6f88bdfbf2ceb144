// What phase 2 asks of the CUDA driver: launches on the caller's stream and nothing else; and what becomes of every error.
#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <set>

#include "compare.h"
#include "cuda_call.h"
#include "cuda_device.h"
#include "driver_stand_in.h"
#include "kernel_rows.h"
#include "operators.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

struct Gradient : GradOperator {
  static Case CaseOf(DataType type) {
    return Case().Type(type).ArgmaxType(DataType::kInt64).GradInputStrides(Strides::kPadded);
  }
  static bool IsRight(const Problem& problem, const KernelRow& row) { return SameGradient(problem, OptionsFor(row)); }
};

struct Forward : PoolOperator {
  static Case CaseOf(DataType type) { return Case().Type(type).XStrides(Strides::kPadded); }
  static bool IsRight(Problem& problem, const KernelRow& row) {
    return ResultBytes<PoolOperator>(problem) == ExpectedBytes<PoolOperator>(CaseOf(row.type));
  }
};

// A call on the stand-in, its tensors in device memory.
template <typename Op>
class CudaCall : public PerKernel {
 protected:
  void FailEveryModule();
  void FailEveryCall();
  void RunWithoutAContext();

  void SetUp() override {
    if (const std::string reason = WhyNoStandIn(); !reason.empty()) GTEST_SKIP() << reason;
    ASSERT_EQ(WhyNoCuda(), "");
    static std::set<std::string> rows;
    is_first_of_row_ = rows.insert(GetParam().name).second;
    ASSERT_EQ(CallCuda("cuStreamCreate", &stream_, 0u), 0);
    problem_ = std::make_unique<typename Op::Problem>(Op::CaseOf(GetParam().type));
    tensors_ = std::make_unique<CudaTensors<typename Op::Args>>(problem_->args());
    args_ = tensors_->args();
    Options options = OptionsFor(GetParam());
    options.repeatable = true;
    options.device_stream = stream_;
    ASSERT_OK(Op::Phase1(args_, options, &size_, &executor_));
    workspace_ = std::make_unique<CudaMemory>(size_);
  }
  void TearDown() override {
    if (stream_ == nullptr) return;
    EXPECT_EQ(CallCuda("cuStreamDestroy_v2", stream_), 0);
  }

  Status Run() { return Op::Phase2(workspace_->address(), size_, executor_.get()); }
  Status RunAndWait() {
    const Status status = Run();
    const Status waited = Synchronize(executor_.get());
    return status.ok() ? waited : status;
  }
  void ExpectRightResult() {
    tensors_->CopyResultsBack();
    EXPECT_TRUE(Op::IsRight(*problem_, GetParam()));
  }

  bool is_first_of_row_ = false;  // In this process.
  void* stream_ = nullptr;
  std::unique_ptr<typename Op::Problem> problem_;
  std::unique_ptr<CudaTensors<typename Op::Args>> tensors_;
  std::unique_ptr<CudaMemory> workspace_;
  typename Op::Args args_;
  uint64_t size_ = 0;
  ExecutorPtr executor_;
};

using CudaGradCall = CudaCall<Gradient>;
using CudaPoolCall = CudaCall<Forward>;

// Of an error of the driver, whether Halide calls it or the library.
StatusCode CodeOf(int error) { return error == 2 ? StatusCode::kOutOfMemory : StatusCode::kDeviceError; }

std::string FunctionOf(const std::string& call) { return call.substr(0, call.find(' ')); }

// The first call of a process loads its modules, one after the other. Each fails once with every error, then the next one's
// turn comes.
template <typename Op>
void CudaCall<Op>::FailEveryModule() {
  if (!is_first_of_row_) GTEST_SKIP() << "the row's modules are loaded already";
  const std::string load = "cuModuleLoadDataEx";
  int modules = 0;
  for (bool has_all = false; !has_all && !HasFailure(); ++modules) {
    for (const auto& [error, name] :
         {std::pair{2, "OUT_OF_MEMORY"}, std::pair{209, "NO_BINARY_FOR_GPU"}, std::pair{218, "INVALID_PTX"}}) {
      FailCall(load, 1, error);
      EXPECT_FAILS(RunAndWait(), CodeOf(error), name);
      FailCall(load, 1, 0);
    }
    FailCall(load, 2, 719);
    has_all = RunAndWait().ok();
    FailCall(load, 2, 0);
  }
  EXPECT_GT(modules, 0);
  ASSERT_OK(RunAndWait());
  ExpectRightResult();
}

TEST_P(CudaGradCall, OnlyLaunchesOnTheCallersStream) {
  ASSERT_OK(RunAndWait());
  ResetDriver();
  ASSERT_OK(Run());
  int launches = 0;
  std::ostringstream handle;
  handle << stream_;
  for (const std::string& call : CallsOfDriver()) {
    const std::string function = FunctionOf(call);
    EXPECT_THAT(function, testing::AnyOf("cuLaunchKernel", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuCtxGetCurrent",
                                         "cuModuleGetFunction", "cuCtxGetApiVersion"))
        << "copies, allocates or waits: " << call;
    if (function != "cuLaunchKernel") continue;
    ++launches;
    EXPECT_THAT(call, testing::HasSubstr(handle.str()));
  }
  // Images, argmax as int32, zeroing, the scatter and rounding; beside them a word to zero, or in fixed point two steps of
  // inspection and the sums in floats, which are zeroed and added to if they are needed.
  EXPECT_GE(launches, 4);
  EXPECT_LE(launches, GetParam().accumulation == Accumulation::kFloat ? 6 : 9);
  EXPECT_OK(Synchronize(executor_.get()));
  ExpectRightResult();
}

// The gradients arrive on the stream, before the call, and the result leaves on it: only the order of the stream makes that
// right.
TEST_P(CudaGradCall, RunsInTheStreamsOrder) {
  const CudaTensor later(TensorView(problem_->args().grad_output));
  CudaMemory poisoned(static_cast<uint64_t>(problem_->grad_output.Bytes().size()));
  std::vector<std::byte> bytes = problem_->grad_output.Bytes();
  ASSERT_EQ(CallCuda("cuMemsetD8Async", reinterpret_cast<uint64_t>(args_.grad_output.data), static_cast<unsigned char>(0x7b),
                     bytes.size(), stream_),
            0);
  ASSERT_EQ(CallCuda("cuMemcpyHtoDAsync_v2", reinterpret_cast<uint64_t>(args_.grad_output.data),
                     static_cast<const void*>(bytes.data()), bytes.size(), stream_),
            0);
  ASSERT_OK(Run());
  ASSERT_EQ(CallCuda("cuMemsetD8Async", reinterpret_cast<uint64_t>(args_.grad_output.data), static_cast<unsigned char>(0x7b),
                     bytes.size(), stream_),
            0);
  ASSERT_OK(Synchronize(executor_.get()));
  ExpectRightResult();
}

// S4: the stream itself changes argmax, before the kernels run and behind them.
TEST_P(CudaGradCall, ContentsMayChangeOnTheStream) {
  constexpr int64_t kEntry = 100;
  struct HostCopy {
    int64_t* entry;
    int64_t value;
  };
  const std::vector<std::byte> bytes = problem_->argmax.Bytes();
  void* pinned = nullptr;
  ASSERT_EQ(CallCuda("cuMemAllocHost_v2", &pinned, bytes.size()), 0);
  std::memcpy(pinned, bytes.data(), bytes.size());
  auto* const entry = static_cast<int64_t*>(pinned) + kEntry;
  HostCopy bad = {entry, 35}, good = {entry, *entry};
  const auto change = [&](HostCopy& copy) {
    void (*const write)(void*) = [](void* argument) {
      const auto& [to, value] = *static_cast<HostCopy*>(argument);
      *to = value;
    };
    EXPECT_EQ(CallCuda("cuLaunchHostFunc", stream_, write, static_cast<void*>(&copy)), 0);
    EXPECT_EQ(CallCuda("cuMemcpyHtoDAsync_v2", reinterpret_cast<uint64_t>(args_.argmax.data), static_cast<const void*>(pinned),
                       bytes.size(), stream_),
              0);
  };
  const std::string name = "argmax" + problem_->argmax.CoordinatesOf(kEntry);
  change(bad);
  EXPECT_FAILS(RunAndWait(), StatusCode::kOutOfRange, name + " is 35,");
  change(good);
  ASSERT_OK(RunAndWait());
  ExpectRightResult();
  change(bad);
  ASSERT_OK(Run());
  change(good);
  EXPECT_FAILS(Synchronize(executor_.get()), StatusCode::kOutOfRange, "was changed during the call");
  ASSERT_OK(Run());
  change(bad);
  ASSERT_OK(Synchronize(executor_.get()));
  ExpectRightResult();
  EXPECT_EQ(CallCuda("cuMemFreeHost", pinned), 0);
}

template <typename Op>
void CudaCall<Op>::FailEveryCall() {
  ASSERT_OK(RunAndWait());
  ResetDriver();
  ASSERT_OK(RunAndWait());
  std::map<std::string, int> counts;
  for (const std::string& call : CallsOfDriver()) ++counts[FunctionOf(call)];
  EXPECT_GT(counts["cuLaunchKernel"], 3);
  EXPECT_GT(counts["cuStreamSynchronize"], 0);
  for (const auto& [function, count] : counts) {
    if (function == "cuGetErrorName" || function == "cuGetErrorString") continue;
    for (int nth = 1; nth <= count; ++nth) {
      for (const int error : {2, 700, 719}) {
        FailCall(function, nth, error);
        const Status status = RunAndWait();
        FailCall(function, nth, 0);
        ResetDriver();
        if (function == "cuCtxPopCurrent_v2") {  // After its work; all that is wrong is the stack of contexts.
          void* context = nullptr;
          EXPECT_EQ(CallCuda("cuCtxPopCurrent_v2", &context), 0);
          continue;
        }
        if (function == "cuCtxPushCurrent_v2" && status.ok()) {
          ExpectRightResult();  // Once more after a kernel's work, where Halide ends its use of the module, which stays loaded.
          continue;
        }
        EXPECT_FALSE(status.ok()) << function << ", call " << nth << ", error " << error;
        EXPECT_EQ(status.code(), CodeOf(error)) << status.message();
        const std::string name = function.substr(0, function.find('_'));
        EXPECT_THAT(status.message(), testing::AnyOf(testing::HasSubstr(name), testing::HasSubstr("CUDA_ERROR"))) << error;
      }
    }
  }
  ASSERT_OK(RunAndWait()) << "a call after all those that failed";
  ExpectRightResult();
}

template <typename Op>
void CudaCall<Op>::RunWithoutAContext() {
  void* context = nullptr;
  ASSERT_EQ(CallCuda("cuCtxGetCurrent", &context), 0);
  ASSERT_EQ(CallCuda("cuCtxSetCurrent", static_cast<void*>(nullptr)), 0);
  EXPECT_FAILS(Run(), StatusCode::kInvalidState, "no CUDA context is current in this thread");
  ASSERT_EQ(CallCuda("cuCtxSetCurrent", context), 0);
  EXPECT_OK(RunAndWait());
}

TEST_P(CudaGradCall, AModuleThatIsNotLoadedIsAnError) { FailEveryModule(); }
TEST_P(CudaGradCall, EveryErrorOfTheDriverBecomesAStatus) { FailEveryCall(); }
TEST_P(CudaGradCall, WithoutAContext) { RunWithoutAContext(); }
TEST_P(CudaPoolCall, AModuleThatIsNotLoadedIsAnError) { FailEveryModule(); }
TEST_P(CudaPoolCall, EveryErrorOfTheDriverBecomesAStatus) { FailEveryCall(); }
TEST_P(CudaPoolCall, WithoutAContext) { RunWithoutAContext(); }

std::vector<KernelRow> SomeOf(std::vector<KernelRow> rows) {
  std::erase_if(rows, [](const KernelRow& row) { return row.type != DataType::kFloat32 && row.type != DataType::kFloat16; });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(All, CudaGradCall, testing::ValuesIn(SomeOf(GradRows())), RowName);
INSTANTIATE_TEST_SUITE_P(All, CudaPoolCall, testing::ValuesIn(SomeOf(PoolRows())), RowName);

}  // namespace
}  // namespace roipool::test
