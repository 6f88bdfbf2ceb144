// OpenCL with the caller's memory objects, in a context and a queue of the caller.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "compare.h"
#include "kernel_rows.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

template <typename Result = int, typename... Parameters>
Result CallOpenCl(const char* name, Parameters... parameters) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
  return reinterpret_cast<Result (*)(Parameters...)>(dlsym(library, name))(parameters...);
}

class MemoryObjects : public PerKernel {
 protected:
  void SetUp() override {
    void *platform = nullptr, *device = nullptr;
    void* const none = nullptr;
    ASSERT_EQ(CallOpenCl("clGetPlatformIDs", 1u, &platform, none), 0);
    ASSERT_EQ(CallOpenCl("clGetDeviceIDs", platform, uint64_t{0xffffffff}, 1u, &device, none), 0);
    context_ = CallOpenCl<void*>("clCreateContext", none, 1u, &device, none, none, none);
    ASSERT_NE(context_, nullptr);
    queue_ = CallOpenCl<void*>("clCreateCommandQueue", context_, device, uint64_t{0}, none);
    ASSERT_NE(queue_, nullptr);
  }
  void TearDown() override {
    for (void* object : objects_) EXPECT_EQ(CallOpenCl("clReleaseMemObject", object), 0);
    EXPECT_EQ(CallOpenCl("clReleaseCommandQueue", queue_), 0);
    EXPECT_EQ(CallOpenCl("clReleaseContext", context_), 0);
  }

  void* Make(size_t size, const void* contents = nullptr) {
    void* const none = nullptr;
    objects_.push_back(CallOpenCl<void*>("clCreateBuffer", context_, uint64_t{0}, size, none, none));
    if (contents != nullptr) {
      EXPECT_EQ(CallOpenCl("clEnqueueWriteBuffer", queue_, objects_.back(), 1u, size_t{0}, size, contents, 0u, none, none), 0);
    }
    return objects_.back();
  }
  void* Make(const Tensor& tensor) { return Make(tensor.Bytes().size(), tensor.Bytes().data()); }
  void Read(void* object, Tensor& tensor) {
    void* const none = nullptr;
    EXPECT_EQ(CallOpenCl("clEnqueueReadBuffer", queue_, object, 1u, size_t{0}, tensor.Bytes().size(), tensor.AddressOf(0), 0u,
                         none, none),
              0);
  }

  Options InOwnQueue() const {
    Options options = OptionsFor(GetParam());
    options.device_context = context_;
    options.device_stream = queue_;
    return options;
  }

  // The problem's arguments with its tensors in memory objects.
  RoiPoolGradArgs Upload(GradProblem& problem) {
    RoiPoolGradArgs args = problem.args();
    args.grad_output.data = Make(problem.grad_output);
    args.argmax.data = Make(problem.argmax);
    args.rois.data = Make(problem.rois);
    args.grad_input.data = Make(problem.grad_input);
    return args;
  }

  void *context_ = nullptr, *queue_ = nullptr;
  std::vector<void*> objects_;
};

TEST_P(MemoryObjects, AreComputedInTheCallersQueue) {
  for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64}) {
    GradProblem problem(GradCase().Type(GetParam().type).ArgmaxType(argmax_type).Rois(20).GradInputStrides(Strides::kPadded));
    const RoiPoolGradArgs args = Upload(problem);
    uint64_t size = 0;
    ExecutorPtr executor;
    ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
    ASSERT_OK(RoiPoolGrad(Make(size), size, executor.get()));
    ASSERT_OK(Synchronize(executor.get()));
    Read(args.grad_input.data, problem.grad_input);
    EXPECT_TRUE(SameGradient(problem, InOwnQueue()));
    EXPECT_EQ(problem.grad_input.FindDamage(), "") << "the gaps are as they were";
  }
}

TEST_P(MemoryObjects, ErrorsComeFromSynchronize) {
  GradProblem problem(GradCase().Type(GetParam().type));
  problem.argmax.SetNumber(7, 35);
  const RoiPoolGradArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  ASSERT_OK(RoiPoolGrad(Make(size), size, executor.get()));
  EXPECT_FAILS(Synchronize(executor.get()), StatusCode::kOutOfRange, "argmax[0, 0, 2, 1] is 35");
  EXPECT_OK(Synchronize(executor.get())) << "told once";
}

TEST_P(MemoryObjects, MistakesAreErrors) {
  GradProblem problem(GradCase().Type(GetParam().type));
  RoiPoolGradArgs args = Upload(problem);
  uint64_t size = 0;
  ExecutorPtr executor;
  Options options = InOwnQueue();
  options.device_stream = nullptr;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, options, &size, &executor), StatusCode::kNullArgument,
               "options.device_stream is null");
  args.grad_input.data = const_cast<void*>(args.grad_output.data);
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kOverlap, "grad_input.data");
  args = Upload(problem);
  args.rois.strides[0] = -5;
  EXPECT_FAILS(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor), StatusCode::kUnsupported,
               "rois has a negative stride");
  args.rois.strides[0] = 5;
  ASSERT_OK(RoiPoolGradGetWorkspaceSize(args, InOwnQueue(), &size, &executor));
  EXPECT_FAILS(RoiPoolGrad(nullptr, size, executor.get()), StatusCode::kInvalidWorkspace, "workspace is null");
  EXPECT_FAILS(RoiPoolGrad(args.grad_input.data, size, executor.get()), StatusCode::kOverlap, "workspace is");
}

INSTANTIATE_TEST_SUITE_P(All, MemoryObjects, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
