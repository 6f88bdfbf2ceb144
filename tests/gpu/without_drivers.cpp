// Both devices asked for where there is neither driver: the CPU works, and each error is one clear line. The arguments are
// names of libraries, or their beginnings, that are hidden, since this machine may have them.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "roipool/kernels.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"

namespace {

int hidden_count = 0;
char** hidden = nullptr;

}  // namespace

// In place of the C library's, for all that is linked into this program.
extern "C" void* dlopen(const char* name, int flags) noexcept {
  static const auto open = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  for (int i = 0; name != nullptr && i < hidden_count; ++i) {
    if (std::strstr(name, hidden[i]) != nullptr) return open((std::string("/hidden/") + name).c_str(), flags);
  }
  return open(name, flags);
}

namespace {

using roipool::DataType;
using roipool::Device;

template <typename Args, typename Phase1, typename Phase2>
roipool::Status BothPhases(Phase1 phase_1, Phase2 phase_2, const Args& args, Device device) {
  roipool::Options options;
  options.device = device;
  uint64_t size = 0;
  roipool::ExecutorPtr executor;
  const roipool::Status status = phase_1(args, options, &size, &executor);
  if (!status.ok()) return status;
  alignas(64) static char workspace[65536];
  return phase_2(workspace, size, executor.get());
}

roipool::Status RunGrad(Device device) {
  float grad_output[4] = {1, 2, 3, 4}, rois[5] = {}, grad_input[4] = {};
  int32_t argmax[4] = {0, 1, 2, 3};
  roipool::RoiPoolGradArgs args;
  args.grad_output = roipool::ContiguousTensor(static_cast<const void*>(grad_output), DataType::kFloat32, {1, 1, 2, 2});
  args.argmax = roipool::ContiguousTensor(static_cast<const void*>(argmax), DataType::kInt32, {1, 1, 2, 2});
  args.rois = roipool::ContiguousTensor(static_cast<const void*>(rois), DataType::kFloat32, {1, 5});
  args.grad_input = roipool::ContiguousTensor(static_cast<void*>(grad_input), DataType::kFloat32, {1, 1, 2, 2});
  const roipool::Status status = BothPhases(roipool::RoiPoolGradGetWorkspaceSize, roipool::RoiPoolGrad, args, device);
  if (status.ok() && grad_input[3] != 4) std::exit(3);
  return status;
}

roipool::Status RunForward(Device device) {
  float x[4] = {1, 2, 3, 4}, rois[5] = {0, 0, 0, 1, 1}, y[1] = {};
  int32_t argmax[1] = {};
  roipool::RoiPoolArgs args;
  args.x = roipool::ContiguousTensor(static_cast<const void*>(x), DataType::kFloat32, {1, 1, 2, 2});
  args.rois = roipool::ContiguousTensor(static_cast<const void*>(rois), DataType::kFloat32, {1, 5});
  args.y = roipool::ContiguousTensor(static_cast<void*>(y), DataType::kFloat32, {1, 1, 1, 1});
  args.argmax = roipool::ContiguousTensor(static_cast<void*>(argmax), DataType::kInt32, {1, 1, 1, 1});
  const roipool::Status status = BothPhases(roipool::RoiPoolGetWorkspaceSize, roipool::RoiPool, args, device);
  if (status.ok() && (y[0] != 4 || argmax[0] != 3)) std::exit(3);
  return status;
}

using Run = roipool::Status (*)(Device);

bool Expect(Run run, Device device, const char* text) {
  const roipool::Status status = run(device);
  std::printf("%s: %s\n", roipool::DeviceName(device), status.ok() ? "ok" : status.message());
  if (text == nullptr) return status.ok();
  return status.code() == roipool::StatusCode::kUnsupported && std::strstr(status.message(), text) != nullptr &&
         std::strchr(status.message(), '\n') == nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  hidden_count = argc - 1;
  hidden = argv + 1;
  bool as_expected = true;
  for (const Run run : {&RunGrad, &RunForward}) {
    as_expected &= Expect(run, Device::kCuda, "CUDA is not available: ");
    as_expected &= Expect(run, Device::kOpenCl, "OpenCL is not available: ");
    as_expected &= Expect(run, Device::kCpu, nullptr);
  }
  return as_expected ? 0 : 1;
}
