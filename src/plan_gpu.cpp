// Phase 1 for a GPU: kernel, and the layout of device memory.
#include <algorithm>
#include <limits>

#include "fixed_point.h"
#include "gpu_grad_launch.h"
#include "gpu_kernel_select.h"
#include "launch.h"
#include "make_status.h"
#include "plan.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

constexpr int64_t kMaxOffset = std::numeric_limits<int32_t>::max();

// Kernels count in units of `unit` bytes, in 31 bits.
Status CheckReach(const char* function, const char* name, const TensorLayout& layout, int64_t unit,
                  MemoryKind memory) noexcept {
  ByteSpan span;
  const bool is_known = BytesSpanned(layout, &span);
  ROIPOOL_CHECK(is_known && span.end / unit <= kMaxOffset && -span.begin / unit <= kMaxOffset, StatusCode::kUnsupported,
                "%s: %s spans %lld bytes, a GPU's kernels reach %lld", function, name,
                static_cast<long long>(span.end - span.begin), static_cast<long long>(kMaxOffset * unit));
  ROIPOOL_CHECK(memory != MemoryKind::kObject || span.begin == 0, StatusCode::kUnsupported,
                "%s: %s has a negative stride, which would leave its memory object", function, name);
  return {};
}

bool BookStaging(Workspace& workspace, Piece piece, const TensorLayout& layout) noexcept {
  int64_t count = 0;
  return IsContiguous(layout) || (ElementCount(layout, &count) && workspace.Book(piece, count, ElementSize(layout.type)));
}

/// The steps that both operators' plans share.
class GpuPlanner {
 public:
  GpuPlanner(const char* function, const Options& options, Plan* plan) noexcept
      : function_(function), options_(options), plan_(*plan) {}

  // Where the call's data are, and its kernel.
  Status ChooseKernel(Operator op, DataType type, const GpuKernel** kernel) noexcept {
    GpuPlan& gpu = plan_.gpu;
    gpu.device = options_.device;
    gpu.queue = {options_.device_context, options_.device_stream};
    gpu.memory = options_.device == Device::kCuda     ? MemoryKind::kAddress
                 : options_.device_context == nullptr ? MemoryKind::kHost
                                                      : MemoryKind::kObject;
    plan_.has_handles = gpu.memory == MemoryKind::kObject;
    ROIPOOL_CHECK(gpu.memory != MemoryKind::kObject || options_.device_stream != nullptr, StatusCode::kNullArgument,
                  "%s: options.device_stream is null, must be a cl_command_queue of options.device_context", function_);
    GpuKernelRequest request;
    ROIPOOL_RETURN_IF_ERROR(MakeGpuKernelRequest(function_, op, options_, &request));
    request.pixels = plan_.dims.pixels();
    return SelectGpuKernel(function_, type, request, kernel);
  }

  // Whether kernels reach a tensor, which they count in units of `unit` bytes. Drops its idle strides.
  Status Take(const char* name, TensorLayout& layout, int64_t unit) const noexcept {
    ROIPOOL_RETURN_IF_ERROR(CheckReach(function_, name, copies() ? DenseLike(layout) : layout, unit, plan_.gpu.memory));
    layout = WithoutIdleStrides(layout);
    return {};
  }

  // Kernels work on dense copies of the host's tensors.
  bool copies() const noexcept { return plan_.gpu.memory == MemoryKind::kHost; }

  // `fits`: all was booked.
  Status Finish(bool fits) noexcept {
    const Workspace& layout = plan_.gpu.layout;
    if (!copies()) plan_.workspace = layout;
    constexpr uint64_t kMostBytes = kMaxOffset * sizeof(uint64_t);
    ROIPOOL_CHECK(!fits || options_.device != Device::kOpenCl || layout.size() <= kMostBytes, StatusCode::kUnsupported,
                  "%s: the device's workspace would have %llu bytes, OpenCL's kernels reach %llu", function_,
                  static_cast<unsigned long long>(layout.size()), static_cast<unsigned long long>(kMostBytes));
    ROIPOOL_CHECK(fits, StatusCode::kSizeOverflow, "%s: the workspace would exceed 2^63-1 bytes", function_);
    return {};
  }

 private:
  const char* function_;
  const Options& options_;
  Plan& plan_;
};

}  // namespace

Status PlanRoiPoolGradOnGpu(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                            RoiPoolGradPlan* plan) noexcept {
  const DataType type = args.grad_output.type;
  plan->dims = dims;
  plan->args = args;
  GpuPlanner planner(function, options, plan);
  const GpuKernel* kernel = nullptr;
  ROIPOOL_RETURN_IF_ERROR(planner.ChooseKernel(Operator::kRoiPoolGrad, type, &kernel));
  int64_t outputs = 0;
  ROIPOOL_CHECK(ElementCount(args.grad_input, &outputs), StatusCode::kSizeOverflow, "%s: grad_input is too large", function);
  if (outputs == 0) return {};
  plan->gpu_kernel = kernel;

  const int64_t size = ElementSize(type);
  ROIPOOL_RETURN_IF_ERROR(planner.Take("grad_output", plan->args.grad_output, size));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("argmax", plan->args.argmax, args.argmax.type == DataType::kInt32 ? 4 : 2));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("rois", plan->args.rois, 2));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("grad_input", plan->args.grad_input, size));
  const DataType sum_type = SumType(type, options.accumulation);
  plan->gpu_grad.sums_in_place = sum_type == type && (planner.copies() || IsContiguous(plan->args.grad_input));
  plan->gpu_grad.addends_log2 = dims.rois == 0 ? 0 : AddendsLog2(std::max<int64_t>(dims.rois * dims.bins(), 1));

  Workspace& layout = plan->gpu.layout;
  const int64_t entries = dims.rois * dims.channels * dims.bins();
  bool fits = layout.Book(Piece::kImages, dims.rois, sizeof(int32_t));
  if (args.argmax.type != DataType::kInt32) fits = fits && layout.Book(Piece::kArgmax, entries, sizeof(int32_t));
  if (!plan->gpu_grad.sums_in_place) fits = fits && layout.Book(Piece::kSums, outputs, ElementSize(sum_type));
  if (options.accumulation == Accumulation::kFixedPoint) {
    fits = fits && layout.Book(Piece::kInspectionParts, InspectionParts(entries), sizeof(uint32_t)) &&
           layout.Book(Piece::kFloatSums, outputs, ElementSize(SumType(type, Accumulation::kFloat)));
  }
  if (planner.copies()) {
    fits = fits && BookStaging(plan->workspace, Piece::kGradOutput, args.grad_output) &&
           BookStaging(plan->workspace, Piece::kArgmax, args.argmax) && BookStaging(plan->workspace, Piece::kRois, args.rois) &&
           BookStaging(plan->workspace, Piece::kGradInput, args.grad_input);
  }
  return planner.Finish(fits);
}

Status PlanRoiPoolOnGpu(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                        RoiPoolPlan* plan) noexcept {
  const DataType type = args.x.type;
  GpuPlanner planner(function, options, plan);
  const GpuKernel* kernel = nullptr;
  ROIPOOL_RETURN_IF_ERROR(planner.ChooseKernel(Operator::kRoiPool, type, &kernel));
  if (dims.rois == 0 || dims.channels == 0) return {};
  plan->gpu_kernel = kernel;

  const int64_t size = ElementSize(type);
  ROIPOOL_RETURN_IF_ERROR(planner.Take("x", plan->args.x, size));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("rois", plan->args.rois, 2));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("y", plan->args.y, size));
  ROIPOOL_RETURN_IF_ERROR(planner.Take("argmax", plan->args.argmax, sizeof(int32_t)));
  // There are at most as many of either as y has elements, so that their numbers do not wrap.
  const int64_t columns = dims.rois * dims.pooled_w * 2, rows = dims.rois * dims.pooled_h * 2;
  ROIPOOL_CHECK(std::max(columns, rows) <= kMaxOffset, StatusCode::kUnsupported,
                "%s: the rois' bins have %lld edges along an axis, a GPU's kernels reach %lld; split the call", function,
                static_cast<long long>(std::max(columns, rows)), static_cast<long long>(kMaxOffset));

  Workspace& layout = plan->gpu.layout;
  bool fits = layout.Book(Piece::kImages, dims.rois, sizeof(int32_t)) &&
              layout.Book(Piece::kColumns, columns, sizeof(int32_t)) && layout.Book(Piece::kRows, rows, sizeof(int32_t));
  if (planner.copies()) {
    fits = fits && BookStaging(plan->workspace, Piece::kX, args.x) && BookStaging(plan->workspace, Piece::kRois, args.rois) &&
           BookStaging(plan->workspace, Piece::kY, args.y) && BookStaging(plan->workspace, Piece::kArgmax, args.argmax);
  }
  return planner.Finish(fits);
}

}  // namespace roipool::internal
