// Phase 2 of the forward on a GPU.
#include "gpu_pool_launch.h"
#include "gpu_run.h"
#include "index_guard.h"
#include "make_status.h"
#include "run.h"

namespace roipool::internal {
namespace {

GpuPoolLaunch MakeLaunch(const RoiPoolPlan& plan, const DeviceMemory& workspace, const DeviceMemory& state) noexcept {
  const auto piece = [&](Piece which) { return PieceOf(plan.gpu, which, workspace); };
  const RoiPoolArgs& args = plan.args;
  const bool swaps_columns = plan.roi_layout == RoiLayout::kX1X2Y1Y2;
  GpuPoolLaunch launch = {.x = {MemoryOf(args.x.data), args.x},
                          .rois = {MemoryOf(args.rois.data), args.rois},
                          .y = {MemoryOf(args.y.data), args.y},
                          .argmax = {MemoryOf(args.argmax.data), args.argmax},
                          .rounds_corners = plan.rounds_corners,
                          .columns = {args.spatial_scale_w, 1, swaps_columns ? 2 : 3, piece(Piece::kColumns)},
                          .rows = {args.spatial_scale_h, swaps_columns ? 3 : 2, 4, piece(Piece::kRows)},
                          .images = piece(Piece::kImages),
                          .state = state};
  // Kernels take a null pointer for a mistake, even that of a map without pixels.
  if (args.x.data == nullptr) launch.x.memory = workspace;
  return launch;
}

// `rois` are the host's.
Status ExplainBadRois(const char* function, const RoiPoolPlan& plan, const TensorView& rois) noexcept {
  const Allocation<int32_t> images = Allocate<int32_t>(plan.dims.rois);
  const Allocation<float> boxes = Allocate<float>(plan.dims.rois * 4);
  ROIPOOL_CHECK(images != nullptr && boxes != nullptr, StatusCode::kOutOfRange,
                "%s: an image index is out of range or a box is not finite", function);
  ROIPOOL_RETURN_IF_ERROR(ReadImages(function, rois, plan.dims.images, images.get()));
  ROIPOOL_RETURN_IF_ERROR(ReadBoxes(function, rois, plan.roi_layout, boxes.get()));
  return MakeStatus(
      StatusCode::kOutOfRange,
      "%s: rois held an image index outside [0, %lld) or a box that is not finite, and was changed during the call", function,
      static_cast<long long>(plan.dims.images));
}

Status ExplainBadRun(const char* function, const RoiPoolPlan& plan, const UnsettledRun& run,
                     const DeviceCopier& copier) noexcept {
  Allocation<char> memory;
  TensorView rois;
  ROIPOOL_CHECK(Download(copier, plan.args.rois, run.rois, &memory, &rois), StatusCode::kOutOfRange,
                "%s: an image index was out of range or a box was not finite", function);
  return ExplainBadRois(function, plan, rois);
}

Status RunOnHostData(const char* function, const RoiPoolPlan& plan, void* workspace) noexcept {
  HostDataRun run(function, plan, workspace);
  ROIPOOL_RETURN_IF_ERROR(run.Begin());
  const RoiPoolArgs& args = plan.args;
  GpuPoolLaunch launch = MakeLaunch(plan, run.memory(), run.state());
  ROIPOOL_RETURN_IF_ERROR(run.Upload(args.x, Piece::kX, &launch.x));
  ROIPOOL_RETURN_IF_ERROR(run.Upload(args.rois, Piece::kRois, &launch.rois));
  ROIPOOL_RETURN_IF_ERROR(run.MakeOutput(args.y, &launch.y));
  ROIPOOL_RETURN_IF_ERROR(run.MakeOutput(args.argmax, &launch.argmax));
  CallContext context(1, run.queue());
  ROIPOOL_RETURN_IF_ERROR(LaunchRoiPoolOnGpu(function, *plan.gpu_kernel, context, launch));
  bool found_bad = false;
  ROIPOOL_RETURN_IF_ERROR(run.FoundBadContents(&found_bad));
  if (found_bad) return ExplainBadRois(function, plan, args.rois);
  ROIPOOL_RETURN_IF_ERROR(run.Download(launch.y, args.y, Piece::kY));
  return run.Download(launch.argmax, args.argmax, Piece::kArgmax);
}

}  // namespace

Status RunRoiPoolOnGpu(const char* function, RoiPoolPlan* plan, void* workspace) noexcept {
  if (plan->gpu.memory == MemoryKind::kHost) return RunOnHostData(function, *plan, workspace);
  UnsettledRun run;
  run.rois = plan->args.rois.data;
  const auto launch = [&](CallContext& context, const DeviceMemory& memory, const DeviceMemory& state) noexcept {
    return LaunchRoiPoolOnGpu(function, *plan->gpu_kernel, context, MakeLaunch(*plan, memory, state));
  };
  return RunInCallersQueue(function, plan->gpu, workspace, std::move(run), launch,
                           ExplainRunsOf(function, *plan, ExplainBadRun));
}

Status SynchronizeRoiPool(const char* function, RoiPoolPlan* plan) noexcept {
  return SettleRuns(function, plan->gpu, ExplainRunsOf(function, *plan, ExplainBadRun));
}

}  // namespace roipool::internal
