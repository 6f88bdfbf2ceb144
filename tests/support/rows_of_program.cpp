// Apart from kernel_rows.cpp: needs what a program defines.
#include "kernel_rows.h"

namespace roipool::test {

std::vector<KernelRow> RowsOf(Operator op) {
  const Device device = DeviceOfProgram();
  return device == Device::kCpu ? KernelRowsOf(op) : GpuRowsOf(op, device);
}

}  // namespace roipool::test
