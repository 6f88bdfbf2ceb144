// This program tests every kernel of OpenCL.
#include "kernel_rows.h"

namespace roipool::test {

std::vector<KernelRow> GradRows() { return GpuRowsOf(Device::kOpenCl); }

}  // namespace roipool::test
