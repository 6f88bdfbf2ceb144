#include "kernel_rows.h"

#include <algorithm>

#include "cuda_device.h"

namespace roipool::test {
namespace {

constexpr Operator kOperator_roi_pool_grad = Operator::kRoiPoolGrad, kOperator_roi_pool = Operator::kRoiPool;
constexpr DataType kType_f32 = DataType::kFloat32, kType_f16 = DataType::kFloat16, kType_bf16 = DataType::kBFloat16,
                   kType_f64 = DataType::kFloat64;
constexpr Accumulation kAccumulation_float = Accumulation::kFloat, kAccumulation_fixed_point = Accumulation::kFixedPoint;
constexpr Isa kIsa_baseline = Isa::kBaseline, kIsa_avx2 = Isa::kAvx2, kIsa_avx512 = Isa::kAvx512;

#define ROIPOOL_KERNEL(op, type, schedule, isa, symbol, base_schedule, max_bins, accumulation, reads_channel_vectors) \
  {#symbol, kOperator_##op, kType_##type, #schedule, kIsa_##isa, kAccumulation_##accumulation},
constexpr KernelRow kRows[] = {
#include "kernels.inc"
};
#undef ROIPOOL_KERNEL

constexpr Device kDevice_cuda = Device::kCuda, kDevice_opencl = Device::kOpenCl;

// The last one is no row.
#define ROIPOOL_GPU_GRAD_KERNEL(device, type, schedule, accumulation, symbol, max_pixels, writes_sums) \
  {#symbol,        Operator::kRoiPoolGrad,       kType_##type,     #schedule,                          \
   Isa::kBaseline, kAccumulation_##accumulation, kDevice_##device, (max_pixels) == 0 ? INT64_MAX : (max_pixels)},
#define ROIPOOL_GPU_POOL_KERNEL(device, type, schedule, symbol) \
  {#symbol, Operator::kRoiPool, kType_##type, #schedule, Isa::kBaseline, Accumulation::kFloat, kDevice_##device},
constexpr KernelRow kGpuRows[] = {
#include "gpu_kernels.inc"
    {}};

}  // namespace

std::vector<KernelRow> KernelRowsOf(Operator op) {
  std::vector<KernelRow> rows;
  for (const KernelRow& row : kRows) {
    if (row.op == op) rows.push_back(row);
  }
  return rows;
}

std::vector<KernelRow> KernelRowsOf(Operator op, DataType type) {
  std::vector<KernelRow> rows = KernelRowsOf(op);
  std::erase_if(rows, [&](const KernelRow& row) { return row.type != type; });
  return rows;
}

std::vector<KernelRow> GpuRowsOf(Operator op, Device device) {
  std::vector<KernelRow> rows;
  for (const KernelRow& row : kGpuRows) {
    if (row.name != nullptr && row.op == op && row.device == device) rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> SchedulesOf(Operator op) {
  std::vector<std::string> schedules;
  for (const KernelRow& row : KernelRowsOf(op)) {
    if (std::find(schedules.begin(), schedules.end(), row.schedule) == schedules.end()) schedules.emplace_back(row.schedule);
  }
  return schedules;
}

bool HasDefaultSchedules() {
  return SchedulesOf(Operator::kRoiPoolGrad).front() == "cpu_channel_blocks" &&
         SchedulesOf(Operator::kRoiPool).front() == "cpu_channel_vectors";
}

Options OptionsFor(const KernelRow& row, int32_t threads) {
  Options options;
  if (row.device == Device::kCpu) options.max_isa = row.isa;
  options.schedule = row.schedule;
  options.accumulation = row.accumulation;
  options.device = row.device;
  options.threads = threads;
  return options;
}

std::string WhyNotHere(const KernelRow& row) {
  if (row.device == Device::kCuda) return WhyNoCuda();
  if (row.device == Device::kOpenCl) return {};  // What is missing fails: drivers for it are among what the tests install.
  if (row.isa <= DetectIsa()) return {};
  return std::string(row.name) + " needs " + IsaName(row.isa) + ", this CPU offers " + IsaName(DetectIsa());
}

}  // namespace roipool::test
