// This program tests every kernel of the CPU.
#include "kernel_rows.h"

namespace roipool::test {

Device DeviceOfProgram() { return Device::kCpu; }

}  // namespace roipool::test
