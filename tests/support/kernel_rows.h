// Every row of the build's kernel list, for tests that run on each kernel.
#ifndef ROIPOOL_TESTS_SUPPORT_KERNEL_ROWS_H_
#define ROIPOOL_TESTS_SUPPORT_KERNEL_ROWS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "roipool/kernels.h"

namespace roipool::test {

struct KernelRow {
  const char* name;
  Operator op;
  DataType type;
  const char* schedule;
  Isa isa;
  Accumulation accumulation;
  Device device = Device::kCpu;
  int64_t max_pixels = INT64_MAX;  ///< Of a plane.
};

inline void PrintTo(const KernelRow& row, std::ostream* out) { *out << row.name; }

/// The rows of one operator in generated/kernels.inc, in its order.
std::vector<KernelRow> KernelRowsOf(Operator op);
/// Those of one type.
std::vector<KernelRow> KernelRowsOf(Operator op, DataType type);

/// The rows of one operator in generated/gpu_kernels.inc for one device.
std::vector<KernelRow> GpuRowsOf(Operator op, Device device);

/// The device whose kernels a test program is about: it defines this.
Device DeviceOfProgram();

/// The rows of an operator that a test program is about.
std::vector<KernelRow> RowsOf(Operator op);
inline std::vector<KernelRow> GradRows() { return RowsOf(Operator::kRoiPoolGrad); }
inline std::vector<KernelRow> PoolRows() { return RowsOf(Operator::kRoiPool); }

/// Whether the last bits of a row's sums depend on chance.
inline bool AddsInAnyOrder(const KernelRow& row) {
  return row.op == Operator::kRoiPoolGrad && row.device != Device::kCpu && row.accumulation == Accumulation::kFloat;
}

/// Whether a device's sums of floats of this type take subnormal numbers for zeros: those of CUDA in float32, but for
/// float16's, which never are that small.
inline bool FlushesSubnormals(Device device, DataType type) {
  return device == Device::kCuda && (type == DataType::kFloat32 || type == DataType::kBFloat16);
}

/// The schedules of an operator, best first.
std::vector<std::string> SchedulesOf(Operator op);

/// Whether the build compiles the schedules that it does by default; files of tuned rows in tests are about those.
bool HasDefaultSchedules();

/// Options under which the library must choose this row, on a CPU that has its ISA.
Options OptionsFor(const KernelRow& row, int32_t threads = 2);

/// Empty if this machine can run the row, else why not.
std::string WhyNotHere(const KernelRow& row);

inline std::string RowName(const testing::TestParamInfo<KernelRow>& info) { return info.param.name; }

/// A fixture for TEST_P over KernelRowsOf(...): skips, with a reason, what this CPU cannot run.
class PerKernel : public testing::TestWithParam<KernelRow> {
 protected:
  void SetUp() override {
    if (const std::string reason = WhyNotHere(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
  }
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_KERNEL_ROWS_H_
