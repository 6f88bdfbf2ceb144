#include "plan.h"

#include <algorithm>
#include <cstdio>

#include "cpu_features.h"
#include "kernel_select.h"
#include "launch.h"
#include "make_status.h"
#include "tensor_layout.h"

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

// Options are checked even if there is nothing to compute; sizes do not matter then.
Status PlanKernel(const char* function, Operator op, DataType type, const Options& options, bool has_work, Plan* plan,
                  GradCallKnobs* knobs) noexcept {
  const Dims& dims = plan->dims;
  KernelRequest request;
  ROIPOOL_RETURN_IF_ERROR(MakeKernelRequest(function, op, options, &request));
  if (has_work) {
    request.bins = dims.bins();
    request.largest_extent = std::max({dims.rois, dims.channels, dims.images, dims.bins(), dims.pixels()});
  }
  const ShapeClass shape_class = has_work ? ClassOf(plan->sizes()) : ShapeClass::kTiny;
  KernelChoice choice;
  ROIPOOL_RETURN_IF_ERROR(ChooseKernel(function, op, type, request, options, shape_class, &choice));
  plan->threads = options.threads == 0 ? UsableCpuCount() : options.threads;
  if (!has_work) return {};
  plan->kernel = choice.kernel;
  *knobs = choice.knobs;
  if (op == Operator::kRoiPoolGrad) {
    std::snprintf(plan->tuning, sizeof(plan->tuning), "%s: channel_block=%d group_channels=%d prefetch_distance=%d, %s",
                  ShapeClassName(shape_class), knobs->channel_block, knobs->group_channels, knobs->prefetch_distance,
                  choice.source);
  } else {
    std::snprintf(plan->tuning, sizeof(plan->tuning), "%s: %s", ShapeClassName(shape_class), choice.source);
  }
  return {};
}

Status WorkspaceTooLarge(const char* function) noexcept {
  return MakeStatus(StatusCode::kSizeOverflow, "%s: the workspace would exceed 2^63-1 bytes", function);
}

}  // namespace

Status PlanRoiPoolGrad(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                       RoiPoolGradPlan* plan) noexcept {
  const bool has_work = dims.rois > 0 && dims.channels > 0 && dims.images > 0;
  plan->dims = dims;
  plan->args = args;
  GradCallKnobs knobs;
  ROIPOOL_RETURN_IF_ERROR(PlanKernel(function, Operator::kRoiPoolGrad, args.grad_output.type, options, has_work, plan, &knobs));
  return has_work ? LayOutRoiPoolGrad(function, knobs, plan) : Status();
}

Status LayOutRoiPoolGrad(const char* function, const GradCallKnobs& knobs, RoiPoolGradPlan* plan) noexcept {
  DropIdleStrides(plan->args.grad_output);
  DropIdleStrides(plan->args.argmax);
  DropIdleStrides(plan->args.grad_input);
  plan->tasks = ChooseGradTasks(plan->sizes(), plan->threads, knobs);
  const Dims& dims = plan->dims;
  const RoiPoolGradArgs& args = plan->args;
  Workspace& workspace = plan->workspace;
  const int64_t workers = std::min(plan->threads, plan->tasks.Count(plan->sizes()));
  const int64_t sums = workers * SumsPerWorker(args.grad_output.type, plan->sizes(), plan->tasks);
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
  if (sums > 0) fits = fits && workspace.Book(Piece::kSums, sums, sizeof(float));
  return fits ? Status() : WorkspaceTooLarge(function);
}

Status PlanRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                   RoiPoolPlan* plan) noexcept {
  const bool has_work = dims.rois > 0 && dims.channels > 0;
  plan->dims = dims;
  plan->args = args;
  plan->rounds_corners = options.geometry == Geometry::kTorchvision;
  plan->roi_layout = options.roi_layout;
  GradCallKnobs knobs;
  ROIPOOL_RETURN_IF_ERROR(PlanKernel(function, Operator::kRoiPool, args.x.type, options, has_work, plan, &knobs));
  if (!has_work) return {};

  DropIdleStrides(plan->args.x);
  DropIdleStrides(plan->args.y);
  DropIdleStrides(plan->args.argmax);
  Workspace& workspace = plan->workspace;
  bool fits =
      workspace.Book(Piece::kImages, dims.rois, sizeof(int32_t)) && workspace.Book(Piece::kBoxes, dims.rois, 4 * sizeof(float));
  if (!FitsKernel(args.x)) fits = fits && BookCopy(workspace, Piece::kX, args.x, args.x.type);
  if (!FitsKernel(args.y)) fits = fits && BookCopy(workspace, Piece::kY, args.y, args.y.type);
  if (!FitsKernel(args.argmax)) fits = fits && BookCopy(workspace, Piece::kArgmax, args.argmax, DataType::kInt32);
  return fits ? Status() : WorkspaceTooLarge(function);
}

}  // namespace roipool::internal
