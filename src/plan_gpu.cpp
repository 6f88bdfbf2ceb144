// Phase 1 for a GPU: kernel, and the layout of device memory.
#include <algorithm>
#include <limits>

#include "fixed_point.h"
#include "gpu_kernel_select.h"
#include "gpu_launch.h"
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

}  // namespace

Status PlanRoiPoolGradOnGpu(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                            RoiPoolGradPlan* plan) noexcept {
  const DataType type = args.grad_output.type;
  plan->dims = dims;
  plan->args = args;
  GpuGradPlan& gpu = plan->gpu;
  gpu.device = options.device;
  gpu.queue = {options.device_context, options.device_stream};
  gpu.memory = options.device == Device::kCuda     ? MemoryKind::kAddress
               : options.device_context == nullptr ? MemoryKind::kHost
                                                   : MemoryKind::kObject;
  plan->has_handles = gpu.memory == MemoryKind::kObject;
  ROIPOOL_CHECK(gpu.memory != MemoryKind::kObject || options.device_stream != nullptr, StatusCode::kNullArgument,
                "%s: options.device_stream is null, must be a cl_command_queue of options.device_context", function);
  const GpuKernel* kernel = nullptr;
  GpuKernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeGpuKernelRequest(function, options, &request));
  request.pixels = dims.pixels();
  ROIPOOL_RETURN_IF_ERROR(SelectGpuKernel(function, type, request, &kernel));
  int64_t outputs = 0;
  ROIPOOL_CHECK(ElementCount(args.grad_input, &outputs), StatusCode::kSizeOverflow, "%s: grad_input is too large", function);
  if (outputs == 0) return {};
  plan->gpu_kernel = kernel;

  const bool copies = gpu.memory == MemoryKind::kHost;
  const auto check_reach = [&](const char* name, const TensorLayout& layout, int64_t unit) {
    return CheckReach(function, name, copies ? DenseLike(layout) : layout, unit, gpu.memory);
  };
  const int64_t size = ElementSize(type);
  ROIPOOL_RETURN_IF_ERROR(check_reach("grad_output", args.grad_output, size));
  ROIPOOL_RETURN_IF_ERROR(check_reach("argmax", args.argmax, args.argmax.type == DataType::kInt32 ? 4 : 2));
  ROIPOOL_RETURN_IF_ERROR(check_reach("rois", args.rois, 2));
  ROIPOOL_RETURN_IF_ERROR(check_reach("grad_input", args.grad_input, size));
  for (TensorLayout* layout :
       {static_cast<TensorLayout*>(&plan->args.grad_output), static_cast<TensorLayout*>(&plan->args.argmax),
        static_cast<TensorLayout*>(&plan->args.rois), static_cast<TensorLayout*>(&plan->args.grad_input)}) {
    *layout = WithoutIdleStrides(*layout);
  }
  const DataType sum_type = SumType(type, options.accumulation);
  const TensorLayout& output = plan->args.grad_input;
  gpu.sums_in_place = sum_type == type && (copies || IsContiguous(output));
  gpu.addends_log2 = dims.rois == 0 ? 0 : AddendsLog2(std::max<int64_t>(dims.rois * dims.bins(), 1));

  Workspace& layout = gpu.layout;
  const int64_t entries = dims.rois * dims.channels * dims.bins();
  bool fits = layout.Book(Piece::kImages, dims.rois, sizeof(int32_t));
  if (args.argmax.type != DataType::kInt32) fits = fits && layout.Book(Piece::kArgmax, entries, sizeof(int32_t));
  if (!gpu.sums_in_place) fits = fits && layout.Book(Piece::kSums, outputs, ElementSize(sum_type));
  if (options.accumulation == Accumulation::kFixedPoint) {
    fits = fits && layout.Book(Piece::kInspectionParts, InspectionParts(entries), sizeof(uint32_t)) &&
           layout.Book(Piece::kFloatSums, outputs, ElementSize(SumType(type, Accumulation::kFloat)));
  }
  if (copies) {
    fits = fits && BookStaging(plan->workspace, Piece::kGradOutput, args.grad_output) &&
           BookStaging(plan->workspace, Piece::kArgmax, args.argmax) && BookStaging(plan->workspace, Piece::kRois, args.rois) &&
           BookStaging(plan->workspace, Piece::kGradInput, args.grad_input);
  } else {
    plan->workspace = layout;
  }
  constexpr uint64_t kMostBytes = kMaxOffset * sizeof(uint64_t);
  ROIPOOL_CHECK(!fits || options.device != Device::kOpenCl || layout.size() <= kMostBytes, StatusCode::kUnsupported,
                "%s: the device's workspace would have %llu bytes, OpenCL's kernels reach %llu", function,
                static_cast<unsigned long long>(layout.size()), static_cast<unsigned long long>(kMostBytes));
  ROIPOOL_CHECK(fits, StatusCode::kSizeOverflow, "%s: the workspace would exceed 2^63-1 bytes", function);
  return {};
}

}  // namespace roipool::internal
