#include <algorithm>
#include <iterator>

#include "index_guard.h"
#include "launch.h"
#include "make_status.h"
#include "run.h"
#include "strided_copy.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

// The tensor itself or, if one was booked, a dense copy in the workspace, not filled yet.
Tensor4 Walkable(const TensorView& tensor, const Workspace& workspace, Piece piece, void* base) noexcept {
  void* copy = workspace.Carve<void>(piece, base);
  const TensorLayout layout = copy == nullptr ? static_cast<const TensorLayout&>(tensor) : DenseLike(tensor);
  Tensor4 walkable = {.data = copy == nullptr ? tensor.data : copy, .shape = {}, .strides = {}};
  std::copy_n(layout.shape, 4, walkable.shape);
  std::copy_n(layout.strides, 4, walkable.strides);
  // Kernels take a null pointer for a mistake, even that of a map without pixels.
  if (walkable.data == nullptr) walkable.data = base;
  return walkable;
}

void CopyBack(const MutableTensorView& tensor, const Workspace& workspace, Piece piece, void* base) noexcept {
  if (const void* copy = workspace.Carve<void>(piece, base)) CopyStrided(DenseLike(tensor), copy, tensor, tensor.data);
}

}  // namespace

Status RunRoiPool(const char* function, const RoiPoolPlan& plan, void* workspace) noexcept {
  if (plan.kernel == nullptr) return {};
  const RoiPoolArgs& args = plan.args;
  auto* images = plan.workspace.Carve<int32_t>(Piece::kImages, workspace);
  auto* boxes = plan.workspace.Carve<float>(Piece::kBoxes, workspace);
  ROIPOOL_RETURN_IF_ERROR(ReadImages(function, args.rois, plan.dims.images, images));
  ROIPOOL_RETURN_IF_ERROR(ReadBoxes(function, args.rois, plan.roi_layout, boxes));
  if (void* copy = plan.workspace.Carve<void>(Piece::kX, workspace)) CopyStrided(args.x, args.x.data, DenseLike(args.x), copy);

  const RoiPoolLaunch launch = {.x = Walkable(args.x, plan.workspace, Piece::kX, workspace),
                                .boxes = boxes,
                                .images = images,
                                .spatial_scale_h = args.spatial_scale_h,
                                .spatial_scale_w = args.spatial_scale_w,
                                .rounds_corners = plan.rounds_corners,
                                .y = Walkable(args.y, plan.workspace, Piece::kY, workspace),
                                .argmax = Walkable(args.argmax, plan.workspace, Piece::kArgmax, workspace)};
  ROIPOOL_RETURN_IF_ERROR(LaunchRoiPool(function, *plan.kernel, plan.threads, launch));
  CopyBack(args.y, plan.workspace, Piece::kY, workspace);
  CopyBack(args.argmax, plan.workspace, Piece::kArgmax, workspace);
  return {};
}

}  // namespace roipool::internal
