// This program tests every kernel of OpenCL.
#include "kernel_rows.h"

namespace roipool::test {

Device DeviceOfProgram() { return Device::kOpenCl; }

}  // namespace roipool::test
