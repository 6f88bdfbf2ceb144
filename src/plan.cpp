#include "plan.h"

#include <algorithm>

#include "cpu_features.h"
#include "launch.h"
#include "make_status.h"
#include "pool_launch.h"
#include "tensor_layout.h"
#include "window_tiles.h"

namespace roipool::internal {
namespace {

template <typename View>
void DropIdleStrides(View& view) noexcept {
  static_cast<TensorLayout&>(view) = WithoutIdleStrides(view);
}

// Books a dense copy of a tensor whose elements are counted already.
bool BookCopy(Workspace& workspace, Piece piece, const TensorLayout& layout, DataType type) noexcept {
  int64_t count = 0;
  return ElementCount(layout, &count) && workspace.Book(piece, count, ElementSize(type));
}

void CompleteRequest(const Dims& dims, KernelRequest* request) noexcept {
  request->bins = dims.bins();
  request->largest_extent = std::max({dims.rois, dims.channels, dims.images, dims.bins(), dims.pixels()});
}

// Options are checked even if there is nothing to compute; sizes do not matter then.
Status PlanKernel(const char* function, Operator op, DataType type, const Options& options, bool has_work,
                  Plan* plan) noexcept {
  const Dims& dims = plan->dims;
  KernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeKernelRequest(function, op, options, &request));
  if (has_work) {
    CompleteRequest(dims, &request);
    plan->shape_class = ClassOf(plan->sizes());
  }
  ROIPOOL_RETURN_IF_ERROR(ChooseKernel(function, op, type, request, options, plan->shape_class, &plan->choice));
  plan->threads = options.threads == 0 ? UsableCpuCount() : options.threads;
  plan->kernel = has_work ? plan->choice.kernel : nullptr;
  return {};
}

Status WorkspaceTooLarge(const char* function) noexcept {
  return MakeStatus(StatusCode::kSizeOverflow, "%s: the workspace would exceed 2^63-1 bytes", function);
}

}  // namespace

Status PlanRoiPoolGrad(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                       RoiPoolGradPlan* plan) noexcept {
  if (options.device != Device::kCpu) return PlanRoiPoolGradOnGpu(function, args, options, dims, plan);
  const bool has_work = dims.rois > 0 && dims.channels > 0 && dims.images > 0;
  plan->dims = dims;
  plan->args = args;
  ROIPOOL_RETURN_IF_ERROR(PlanKernel(function, Operator::kRoiPoolGrad, args.grad_output.type, options, has_work, plan));
  if (!has_work) return {};
  if (plan->kernel->accumulation == Accumulation::kFixedPoint) {
    Options of_float = options;
    of_float.accumulation = Accumulation::kFloat;
    KernelRequest request;
    ROIPOOL_RETURN_IF_ERROR(MakeKernelRequest(function, Operator::kRoiPoolGrad, of_float, &request));
    CompleteRequest(dims, &request);
    ROIPOOL_RETURN_IF_ERROR(
        SelectKernel(function, Operator::kRoiPoolGrad, args.grad_output.type, request, &plan->float_kernel));
  }
  return LayOutRoiPoolGrad(function, plan->choice.knobs, plan);
}

Status LayOutRoiPoolGrad(const char* function, const CallKnobs& knobs, RoiPoolGradPlan* plan) noexcept {
  DropIdleStrides(plan->args.grad_output);
  DropIdleStrides(plan->args.argmax);
  DropIdleStrides(plan->args.grad_input);
  plan->tasks = ChooseGradTasks(plan->sizes(), plan->threads, knobs);
  const Dims& dims = plan->dims;
  const RoiPoolGradArgs& args = plan->args;
  Workspace& workspace = plan->workspace;
  const DataType type = args.grad_output.type;
  const Accumulation accumulation = plan->kernel->accumulation;
  const int64_t workers = std::min(plan->threads, plan->tasks.Count(plan->sizes()));
  const int64_t sums = workers * SumsPerWorker(type, accumulation, plan->sizes(), plan->tasks);
  bool fits = workspace.Book(Piece::kImages, dims.rois, sizeof(int32_t)) &&
              workspace.Book(Piece::kOrder, dims.rois, sizeof(int32_t)) &&
              workspace.Book(Piece::kBegin, dims.images + 1, sizeof(int32_t));
  if (!HasDensePlanes(args.grad_output)) {
    fits = fits && BookCopy(workspace, Piece::kGradOutput, args.grad_output, args.grad_output.type);
  }
  if (args.argmax.type != DataType::kInt32 || !HasDensePlanes(args.argmax)) {
    fits = fits && BookCopy(workspace, Piece::kArgmax, args.argmax, DataType::kInt32);
  }
  if (!HasDensePlanes(args.grad_input)) {
    fits = fits && BookCopy(workspace, Piece::kGradInput, args.grad_input, args.grad_input.type);
  }
  if (sums > 0) fits = fits && workspace.Book(Piece::kSums, sums, ElementSize(SumType(type, accumulation)));
  return fits ? Status() : WorkspaceTooLarge(function);
}

Status PlanRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                   RoiPoolPlan* plan) noexcept {
  const bool has_work = dims.rois > 0 && dims.channels > 0;
  plan->dims = dims;
  plan->args = args;
  if (dims.pixels() == 0) {  // Then rows or columns may have any length, and strides any value; kernels count in 31 bits.
    plan->dims.height = plan->dims.width = plan->args.x.shape[2] = plan->args.x.shape[3] = 0;
    std::fill_n(plan->args.x.strides, 4, 0);
  }
  plan->rounds_corners = options.geometry == Geometry::kTorchvision;
  plan->roi_layout = options.roi_layout;
  if (options.device != Device::kCpu) return PlanRoiPoolOnGpu(function, args, options, dims, plan);
  ROIPOOL_RETURN_IF_ERROR(PlanKernel(function, Operator::kRoiPool, args.x.type, options, has_work, plan));
  return has_work ? LayOutRoiPool(function, plan->choice.knobs, plan) : Status();
}

Status LayOutRoiPool(const char* function, const CallKnobs& knobs, RoiPoolPlan* plan) noexcept {
  DropIdleStrides(plan->args.x);
  DropIdleStrides(plan->args.y);
  DropIdleStrides(plan->args.argmax);
  const Dims& dims = plan->dims;
  const RoiPoolArgs& args = plan->args;
  const CallSizes sizes = plan->task_sizes();
  plan->tasks = ChoosePoolTasks(sizes, ElementSize(args.x.type), plan->threads, knobs);
  Workspace& workspace = plan->workspace;
  bool fits = workspace.Book(Piece::kImages, dims.rois, sizeof(int32_t)) &&
              workspace.Book(Piece::kOrder, dims.rois, sizeof(int32_t)) &&
              workspace.Book(Piece::kBegin, dims.images + 1, sizeof(int32_t)) &&
              workspace.Book(Piece::kBoxes, dims.rois, 4 * sizeof(float)) &&
              workspace.Book(Piece::kColumns, dims.rois * 2 * dims.pooled_w, sizeof(int32_t)) &&
              workspace.Book(Piece::kRows, dims.rois * 2 * dims.pooled_h, sizeof(int32_t));
  TensorLayout x = args.x;
  if (!FitsKernel(x)) {
    fits = fits && BookCopy(workspace, Piece::kX, x, x.type);
    x = DenseLike(x);
  }
  if (const int64_t elements = CopiedElements(*plan->kernel, x, plan->tasks, sizes); elements > 0) {
    const TiledMap map = {dims.height, dims.width, HasAdjacentRows(x)};
    fits = fits && workspace.Book(Piece::kTiles, sizes.images * map.tile_count(), sizeof(int32_t)) &&
           workspace.Book(Piece::kTilesBegin, sizes.images + 1, sizeof(int32_t)) &&
           workspace.Book(Piece::kVectors, elements, ElementSize(x.type));
  }
  if (!HasDensePlanes(args.y)) fits = fits && BookCopy(workspace, Piece::kY, args.y, args.y.type);
  if (!HasDensePlanes(args.argmax)) fits = fits && BookCopy(workspace, Piece::kArgmax, args.argmax, DataType::kInt32);
  return fits ? Status() : WorkspaceTooLarge(function);
}

}  // namespace roipool::internal
