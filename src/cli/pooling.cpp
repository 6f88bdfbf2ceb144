#include "pooling.h"

#include <fmt/format.h>

#include <chrono>

#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

// Runs the call, throws if it failed, and returns the seconds it took.
template <typename Call>
double TimeCall(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  const Status status = call();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ThrowIfError(status);
  return elapsed.count();
}

void Describe(const Executor& executor, CallReport* report) {
  report->kernel = KernelName(executor);
  report->threads = ThreadCount(executor);
}

// Bytes for phase 2; without data if none are needed.
Array AllocateWorkspace(uint64_t size) {
  constexpr uint64_t kElement = 4;
  return AllocateArray(DataType::kInt32, {static_cast<int64_t>((size + kElement - 1) / kElement)});
}

std::string DescribeSeconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

}  // namespace

Pooled Pool(const Array& x, const Array& rois, const PoolParameters& parameters, const Options& options) {
  // A row for each roi and a plane for each channel; arrays of other ranks are left to phase 1 to refuse.
  const int64_t roi_count = rois.shape.empty() ? 0 : rois.shape[0];
  const int64_t channels = x.shape.size() < 2 ? 0 : x.shape[1];
  const std::vector<int64_t> shape = {roi_count, channels, parameters.pooled_h, parameters.pooled_w};
  Pooled pooled{{x.type, shape, nullptr}, {DataType::kInt32, shape, nullptr}, {}};
  const RoiPoolArgs args{View(x),
                         View(rois),
                         parameters.spatial_scale_h,
                         parameters.spatial_scale_w,
                         MutableView(pooled.y),
                         MutableView(pooled.argmax)};
  ExecutorPtr executor;
  pooled.report.phase1_seconds =
      TimeCall([&] { return RoiPoolGetWorkspaceSize(args, options, &pooled.report.workspace_size, &executor); });
  Describe(*executor, &pooled.report);
  pooled.y = AllocateArray(x.type, shape);
  pooled.argmax = AllocateArray(DataType::kInt32, shape);
  const Array workspace = AllocateWorkspace(pooled.report.workspace_size);
  ThrowIfError(SetRoiPoolData(executor.get(), x.data.get(), rois.data.get(), pooled.y.data.get(), pooled.argmax.data.get()));
  pooled.report.phase2_seconds =
      TimeCall([&] { return RoiPool(workspace.data.get(), pooled.report.workspace_size, executor.get()); });
  return pooled;
}

Gradient PoolGradient(const Array& grad_output, const Array& argmax, const Array& rois, const std::vector<int64_t>& input_shape,
                      const Options& options) {
  Gradient gradient{{grad_output.type, input_shape, nullptr}, {}};
  const RoiPoolGradArgs args{View(grad_output), View(argmax), View(rois), MutableView(gradient.grad_input)};
  ExecutorPtr executor;
  gradient.report.phase1_seconds =
      TimeCall([&] { return RoiPoolGradGetWorkspaceSize(args, options, &gradient.report.workspace_size, &executor); });
  Describe(*executor, &gradient.report);
  gradient.grad_input = AllocateArray(grad_output.type, input_shape);
  const Array workspace = AllocateWorkspace(gradient.report.workspace_size);
  ThrowIfError(SetRoiPoolGradData(executor.get(), grad_output.data.get(), argmax.data.get(), rois.data.get(),
                                  gradient.grad_input.data.get()));
  gradient.report.phase2_seconds =
      TimeCall([&] { return RoiPoolGrad(workspace.data.get(), gradient.report.workspace_size, executor.get()); });
  return gradient;
}

ExecutorPtr PlanWithoutData(Operator op, DataType type, const std::vector<int64_t>& map, const std::vector<int64_t>& pooled,
                            const Options& options) {
  const auto tensor = [](DataType element, const std::vector<int64_t>& shape) { return Array{element, shape, nullptr}; };
  const Array rois = tensor(DataType::kFloat32, {pooled[0], 5});
  Array on_map = tensor(type, map), on_bins = tensor(type, pooled), argmax = tensor(DataType::kInt32, pooled);
  uint64_t size = 0;
  ExecutorPtr executor;
  if (op == Operator::kRoiPoolGrad) {
    const RoiPoolGradArgs args = {View(on_bins), View(argmax), View(rois), MutableView(on_map)};
    ThrowIfError(RoiPoolGradGetWorkspaceSize(args, options, &size, &executor));
  } else {
    const RoiPoolArgs args = {View(on_map), View(rois), 1, 1, MutableView(on_bins), MutableView(argmax)};
    ThrowIfError(RoiPoolGetWorkspaceSize(args, options, &size, &executor));
  }
  return executor;
}

std::string DescribeTimes(const CallReport& report) {
  return fmt::format("phase 1 {}, phase 2 {}", DescribeSeconds(report.phase1_seconds), DescribeSeconds(report.phase2_seconds));
}

std::string DescribeKernel(const CallReport& report) {
  return fmt::format("{}, {} thread{}, {} bytes of workspace", report.kernel, report.threads, report.threads == 1 ? "" : "s",
                     report.workspace_size);
}

}  // namespace roipool::cli
