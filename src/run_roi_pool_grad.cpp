#include "fixed_point.h"
#include "index_guard.h"
#include "launch.h"
#include "make_status.h"
#include "run.h"
#include "strided_copy.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

// The tensor itself, or its dense copy in the workspace, filled from it.
TensorView WalkableGradOutput(const RoiPoolGradPlan& plan, void* workspace) noexcept {
  TensorView view = plan.args.grad_output;
  if (void* copy = plan.workspace.Carve<void>(Piece::kGradOutput, workspace)) {
    const TensorLayout dense = DenseLike(view);
    CopyStrided(view, view.data, dense, copy);
    static_cast<TensorLayout&>(view) = dense;
    view.data = copy;
  }
  return view;
}

Status WalkableArgmax(const char* function, const RoiPoolGradPlan& plan, void* workspace, TensorView* argmax) noexcept {
  *argmax = plan.args.argmax;
  if (auto* copy = plan.workspace.Carve<int32_t>(Piece::kArgmax, workspace)) {
    ROIPOOL_RETURN_IF_ERROR(ConvertArgmax(function, *argmax, plan.dims.pixels(), copy));
    static_cast<TensorLayout&>(*argmax) = DenseLike(*argmax);
    argmax->type = DataType::kInt32;
    argmax->data = copy;
  }
  return {};
}

}  // namespace

Status RunRoiPoolGrad(const char* function, const RoiPoolGradPlan& plan, void* workspace) noexcept {
  const Dims& dims = plan.dims;
  const TensorLayout& grad_input = plan.args.grad_input;
  void* const grad_input_data = plan.args.grad_input.data;
  if (plan.kernel == nullptr) {
    if (dims.rois == 0) FillZero(grad_input, grad_input_data);
    return {};
  }
  auto* images = plan.workspace.Carve<int32_t>(Piece::kImages, workspace);
  auto* order = plan.workspace.Carve<int32_t>(Piece::kOrder, workspace);
  auto* begin = plan.workspace.Carve<int32_t>(Piece::kBegin, workspace);
  ROIPOOL_RETURN_IF_ERROR(ReadImages(function, plan.args.rois, dims.images, images));
  SortByImage(images, dims.rois, dims.images, order, begin);

  TensorView argmax;
  ROIPOOL_RETURN_IF_ERROR(WalkableArgmax(function, plan, workspace, &argmax));
  const TensorView grad_output = WalkableGradOutput(plan, workspace);
  void* copy = plan.workspace.Carve<void>(Piece::kGradInput, workspace);
  const TensorLayout result_layout = copy == nullptr ? grad_input : DenseLike(grad_input);
  void* result = copy == nullptr ? grad_input_data : copy;

  FixedPointScale scale;
  const Kernel* kernel = plan.kernel;
  if (kernel->accumulation == Accumulation::kFixedPoint) {
    scale = FindScale(grad_output, argmax, dims.pixels(), AddendsLog2(dims.rois * dims.bins()), plan.threads);
    if (!scale.is_finite) kernel = plan.float_kernel;
  }
  const RoiPoolGradLaunch launch = {.sizes = plan.sizes(),
                                    .tasks = plan.tasks,
                                    .grad_output = grad_output.data,
                                    .grad_output_roi_stride = grad_output.strides[0],
                                    .grad_output_channel_stride = grad_output.strides[1],
                                    .argmax = static_cast<const int32_t*>(argmax.data),
                                    .argmax_roi_stride = argmax.strides[0],
                                    .argmax_channel_stride = argmax.strides[1],
                                    .order = order,
                                    .begin = begin,
                                    .images = images,
                                    .sums = plan.workspace.Carve<void>(Piece::kSums, workspace),
                                    .fixed_point_shift = scale.shift,
                                    .grad_input = result,
                                    .grad_input_image_stride = result_layout.strides[0],
                                    .grad_input_channel_stride = result_layout.strides[1]};
  bool found_bad_argmax = false;
  ROIPOOL_RETURN_IF_ERROR(LaunchRoiPoolGrad(function, *kernel, plan.threads, launch, &found_bad_argmax));
  if (found_bad_argmax) return ExplainBadArgmax(function, argmax, dims.pixels());
  if (copy != nullptr) CopyStrided(result_layout, copy, grad_input, grad_input_data);
  return {};
}

}  // namespace roipool::internal
