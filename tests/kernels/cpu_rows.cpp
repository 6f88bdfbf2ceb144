// This program tests every kernel of the CPU.
#include "kernel_rows.h"

namespace roipool::test {

std::vector<KernelRow> GradRows() { return KernelRowsOf(Operator::kRoiPoolGrad); }

}  // namespace roipool::test
