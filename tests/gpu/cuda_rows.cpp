// This program tests every kernel of CUDA.
#include "kernel_rows.h"

namespace roipool::test {

std::vector<KernelRow> GradRows() { return GpuRowsOf(Device::kCuda); }

}  // namespace roipool::test
