#include "index_guard.h"
#include "make_status.h"
#include "pool_launch.h"
#include "run.h"
#include "strided_copy.h"
#include "tensor_layout.h"
#include "window_tiles.h"

namespace roipool::internal {
namespace {

// The tensor itself or, if one was booked, a dense copy in the workspace, not filled yet.
TensorView Walkable(TensorView tensor, const Workspace& workspace, Piece piece, void* base) noexcept {
  if (void* copy = workspace.Carve<void>(piece, base)) {
    static_cast<TensorLayout&>(tensor) = DenseLike(tensor);
    tensor.data = copy;
  }
  // Kernels take a null pointer for a mistake, even that of a map without pixels.
  if (tensor.data == nullptr) tensor.data = base;
  return tensor;
}

void CopyBack(const MutableTensorView& tensor, const Workspace& workspace, Piece piece, void* base) noexcept {
  if (const void* copy = workspace.Carve<void>(piece, base)) CopyStrided(DenseLike(tensor), copy, tensor, tensor.data);
}

// Fills the pieces that hold the bins' edges.
Status FindEdges(const char* function, const RoiPoolPlan& plan, const float* boxes, void* workspace) noexcept {
  const Dims& dims = plan.dims;
  EdgesLaunch launch = {.corners = boxes,
                        .rois = dims.rois,
                        .spatial_scale = plan.args.spatial_scale_w,
                        .rounds_corners = plan.rounds_corners,
                        .bins = dims.pooled_w,
                        .size = dims.width,
                        .edges = plan.workspace.Carve<int32_t>(Piece::kColumns, workspace)};
  ROIPOOL_RETURN_IF_ERROR(LaunchPoolEdges(function, plan.kernel->isa, launch));
  launch.corners = boxes + 1;
  launch.spatial_scale = plan.args.spatial_scale_h;
  launch.bins = dims.pooled_h;
  launch.size = dims.height;
  launch.edges = plan.workspace.Carve<int32_t>(Piece::kRows, workspace);
  return LaunchPoolEdges(function, plan.kernel->isa, launch);
}

// Fills the pieces that say which tiles of each image to copy.
void FindTiles(const RoiPoolPlan& plan, const RoiPoolLaunch& launch, void* workspace) noexcept {
  auto* tiles = plan.workspace.Carve<int32_t>(Piece::kTiles, workspace);
  auto* begin = plan.workspace.Carve<int32_t>(Piece::kTilesBegin, workspace);
  if (tiles == nullptr) return;
  const Dims& dims = plan.dims;
  const TiledMap map = {dims.height, dims.width, HasAdjacentRows(launch.x)};
  const PoolEdges edges = {launch.columns, launch.rows, dims.pooled_w, dims.pooled_h};
  *begin = 0;
  for (int64_t image = 0; image < launch.sizes.images; ++image) {
    const int64_t first = launch.begin[image], count = launch.begin[image + 1] - first;
    begin[image + 1] =
        begin[image] + static_cast<int32_t>(ListTiles(map, edges, launch.order + first, count, tiles + begin[image]));
  }
}

}  // namespace

Status RunRoiPool(const char* function, const RoiPoolPlan& plan, void* workspace) noexcept {
  if (plan.kernel == nullptr) return {};
  const RoiPoolArgs& args = plan.args;
  const auto piece = [&](Piece wanted) { return plan.workspace.Carve<int32_t>(wanted, workspace); };
  auto* boxes = plan.workspace.Carve<float>(Piece::kBoxes, workspace);
  ROIPOOL_RETURN_IF_ERROR(ReadImages(function, args.rois, plan.dims.images, piece(Piece::kImages)));
  ROIPOOL_RETURN_IF_ERROR(ReadBoxes(function, args.rois, plan.roi_layout, boxes));
  SortByImage(piece(Piece::kImages), plan.dims.rois, plan.dims.images, piece(Piece::kOrder), piece(Piece::kBegin));
  ROIPOOL_RETURN_IF_ERROR(FindEdges(function, plan, boxes, workspace));
  if (void* copy = plan.workspace.Carve<void>(Piece::kX, workspace)) CopyStrided(args.x, args.x.data, DenseLike(args.x), copy);

  const int32_t all_rois[2] = {0, static_cast<int32_t>(plan.dims.rois)};
  const CallSizes sizes = plan.task_sizes();
  const RoiPoolLaunch launch = {.sizes = sizes,
                                .tasks = plan.tasks,
                                .x = Walkable(args.x, plan.workspace, Piece::kX, workspace),
                                .columns = piece(Piece::kColumns),
                                .rows = piece(Piece::kRows),
                                .order = piece(Piece::kOrder),
                                .begin = sizes.images == plan.dims.images ? piece(Piece::kBegin) : all_rois,
                                .tiles = piece(Piece::kTiles),
                                .tiles_begin = piece(Piece::kTilesBegin),
                                .vectors = plan.workspace.Carve<void>(Piece::kVectors, workspace),
                                .y = Walkable(args.y, plan.workspace, Piece::kY, workspace),
                                .argmax = Walkable(args.argmax, plan.workspace, Piece::kArgmax, workspace)};
  FindTiles(plan, launch, workspace);
  ROIPOOL_RETURN_IF_ERROR(LaunchRoiPool(function, *plan.kernel, launch));
  CopyBack(args.y, plan.workspace, Piece::kY, workspace);
  CopyBack(args.argmax, plan.workspace, Piece::kArgmax, workspace);
  return {};
}

}  // namespace roipool::internal
