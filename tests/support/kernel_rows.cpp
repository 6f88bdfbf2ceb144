#include "kernel_rows.h"

#include <algorithm>

namespace roipool::test {
namespace {

constexpr Operator kOperator_roi_pool_grad = Operator::kRoiPoolGrad, kOperator_roi_pool = Operator::kRoiPool;
constexpr DataType kType_f32 = DataType::kFloat32, kType_f16 = DataType::kFloat16, kType_bf16 = DataType::kBFloat16,
                   kType_f64 = DataType::kFloat64;
constexpr Accumulation kAccumulation_float = Accumulation::kFloat, kAccumulation_fixed_point = Accumulation::kFixedPoint;
constexpr Isa kIsa_baseline = Isa::kBaseline, kIsa_avx2 = Isa::kAvx2, kIsa_avx512 = Isa::kAvx512;

#define ROIPOOL_KERNEL(op, type, schedule, isa, symbol, base_schedule, max_bins, accumulation) \
  {#symbol, kOperator_##op, kType_##type, #schedule, kIsa_##isa, kAccumulation_##accumulation},
constexpr KernelRow kRows[] = {
#include "kernels.inc"
};
#undef ROIPOOL_KERNEL

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

std::vector<std::string> SchedulesOf(Operator op) {
  std::vector<std::string> schedules;
  for (const KernelRow& row : KernelRowsOf(op)) {
    if (std::find(schedules.begin(), schedules.end(), row.schedule) == schedules.end()) schedules.emplace_back(row.schedule);
  }
  return schedules;
}

bool HasDefaultSchedules() {
  return SchedulesOf(Operator::kRoiPoolGrad).front() == "cpu_channel_blocks" &&
         SchedulesOf(Operator::kRoiPool).front() == "cpu_rois";
}

Options OptionsFor(const KernelRow& row, int32_t threads) {
  Options options;
  options.max_isa = row.isa;
  options.schedule = row.schedule;
  options.accumulation = row.accumulation;
  options.threads = threads;
  return options;
}

std::string WhyNotHere(const KernelRow& row) {
  if (row.isa <= DetectIsa()) return {};
  return std::string(row.name) + " needs " + IsaName(row.isa) + ", this CPU offers " + IsaName(DetectIsa());
}

}  // namespace roipool::test
