#include "opencl_objects.h"

#include <array>

#include "roipool/device.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

void* const kNone = nullptr;

}  // namespace

void MemoryObjects::SetUp() {
  void* platform = nullptr;
  ASSERT_EQ(CallOpenCl("clGetPlatformIDs", 1u, &platform, kNone), 0);
  ASSERT_EQ(CallOpenCl("clGetDeviceIDs", platform, uint64_t{0xffffffff}, 1u, &device_, kNone), 0);
  context_ = CallOpenCl<void*>("clCreateContext", kNone, 1u, &device_, kNone, kNone, kNone);
  ASSERT_NE(context_, nullptr);
  queue_ = CallOpenCl<void*>("clCreateCommandQueue", context_, device_, uint64_t{0}, kNone);
  ASSERT_NE(queue_, nullptr);
}

void MemoryObjects::TearDown() {
  for (void* object : objects_) EXPECT_EQ(CallOpenCl("clReleaseMemObject", object), 0);
  EXPECT_OK(ReleaseDevice(Device::kOpenCl, context_));
  EXPECT_EQ(CallOpenCl("clReleaseCommandQueue", queue_), 0);
  EXPECT_EQ(CallOpenCl("clReleaseContext", context_), 0);
}

void* MemoryObjects::Make(size_t size, const void* contents) {
  objects_.push_back(CallOpenCl<void*>("clCreateBuffer", context_, uint64_t{0}, size, kNone, kNone));
  if (contents != nullptr) {
    EXPECT_EQ(CallOpenCl("clEnqueueWriteBuffer", queue_, objects_.back(), 1u, size_t{0}, size, contents, 0u, kNone, kNone), 0);
  }
  return objects_.back();
}

void* MemoryObjects::MakePart(void* object, size_t begin, size_t size) {
  constexpr unsigned kRegion = 0x1220;  // CL_BUFFER_CREATE_TYPE_REGION
  const std::array<size_t, 2> region = {begin, size};
  int error = 0;
  objects_.push_back(CallOpenCl<void*>("clCreateSubBuffer", object, uint64_t{0}, kRegion, region.data(), &error));
  EXPECT_EQ(error, 0);
  return objects_.back();
}

void MemoryObjects::Write(void* object, const Tensor& tensor) {
  EXPECT_EQ(CallOpenCl("clEnqueueWriteBuffer", queue_, object, 1u, size_t{0}, tensor.Bytes().size(),
                       static_cast<const void*>(tensor.Bytes().data()), 0u, kNone, kNone),
            0);
}

void MemoryObjects::Read(void* object, Tensor& tensor) {
  EXPECT_EQ(CallOpenCl("clEnqueueReadBuffer", queue_, object, 1u, size_t{0}, tensor.Bytes().size(), tensor.AddressOf(0), 0u,
                       kNone, kNone),
            0);
}

Options MemoryObjects::InOwnQueue() const {
  Options options = OptionsFor(GetParam());
  options.device_context = context_;
  options.device_stream = queue_;
  return options;
}

RoiPoolGradArgs MemoryObjects::Upload(GradProblem& problem) {
  RoiPoolGradArgs args = problem.args();
  args.grad_output.data = Make(problem.grad_output);
  args.argmax.data = Make(problem.argmax);
  args.rois.data = Make(problem.rois);
  args.grad_input.data = Make(problem.grad_input);
  return args;
}

RoiPoolArgs MemoryObjects::Upload(PoolProblem& problem) {
  RoiPoolArgs args = problem.args();
  args.x.data = Make(problem.x);
  args.rois.data = Make(problem.rois);
  args.y.data = Make(problem.y);
  args.argmax.data = Make(problem.argmax);
  return args;
}

}  // namespace roipool::test
