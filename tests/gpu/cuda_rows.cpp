// This program tests every kernel of CUDA, and leaves nothing of the library's behind.
#include "cuda_device.h"
#include "kernel_rows.h"
#include "roipool/device.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

class Release : public testing::Environment {
 public:
  void TearDown() override {
    if (!WhyNoCuda().empty()) return;
    EXPECT_OK(ReleaseDevice(Device::kCuda, nullptr));
  }
};

[[maybe_unused]] testing::Environment* const release = testing::AddGlobalTestEnvironment(new Release);

}  // namespace

Device DeviceOfProgram() { return Device::kCuda; }

}  // namespace roipool::test
