// Phase 2 of the gradient on a GPU.
#include "gpu_grad_launch.h"
#include "gpu_run.h"
#include "index_guard.h"
#include "make_status.h"
#include "run.h"

namespace roipool::internal {
namespace {

GpuGradLaunch MakeLaunch(const RoiPoolGradPlan& plan, const DeviceMemory& workspace, const DeviceMemory& state) noexcept {
  const auto piece = [&](Piece which) { return PieceOf(plan.gpu, which, workspace); };
  return {.grad_output = {MemoryOf(plan.args.grad_output.data), plan.args.grad_output},
          .argmax = {MemoryOf(plan.args.argmax.data), plan.args.argmax},
          .rois = {MemoryOf(plan.args.rois.data), plan.args.rois},
          .grad_input = {MemoryOf(plan.args.grad_input.data), plan.args.grad_input},
          .addends_log2 = plan.gpu_grad.addends_log2,
          .images = piece(Piece::kImages),
          .converted_argmax = piece(Piece::kArgmax),
          .inspection_parts = piece(Piece::kInspectionParts),
          .state = state,
          .sums_in_place = plan.gpu_grad.sums_in_place,
          .sum = piece(Piece::kSums),
          .float_sum = piece(Piece::kFloatSums)};
}

// `rois` and `argmax` are the host's.
Status ExplainBadContents(const char* function, const RoiPoolGradPlan& plan, const TensorView& rois,
                          const TensorView& argmax) noexcept {
  const Allocation<int32_t> images = Allocate<int32_t>(plan.dims.rois);
  ROIPOOL_CHECK(images != nullptr, StatusCode::kOutOfRange, "%s: an image index or an entry of argmax is out of range",
                function);
  ROIPOOL_RETURN_IF_ERROR(ReadImages(function, rois, plan.dims.images, images.get()));
  return ExplainBadArgmax(function, argmax, plan.dims.pixels());
}

Status ExplainBadRun(const char* function, const RoiPoolGradPlan& plan, const UnsettledRun& run,
                     const DeviceCopier& copier) noexcept {
  Allocation<char> rois_memory, argmax_memory;
  TensorView rois, argmax;
  const bool has_contents = Download(copier, plan.args.rois, run.rois, &rois_memory, &rois) &&
                            Download(copier, plan.args.argmax, run.argmax, &argmax_memory, &argmax);
  ROIPOOL_CHECK(has_contents, StatusCode::kOutOfRange, "%s: an image index or an entry of argmax was out of range", function);
  return ExplainBadContents(function, plan, rois, argmax);
}

Status RunOnHostData(const char* function, const RoiPoolGradPlan& plan, void* workspace) noexcept {
  HostDataRun run(function, plan, workspace);
  ROIPOOL_RETURN_IF_ERROR(run.Begin());
  const RoiPoolGradArgs& args = plan.args;
  GpuGradLaunch launch = MakeLaunch(plan, run.memory(), run.state());
  ROIPOOL_RETURN_IF_ERROR(run.Upload(args.grad_output, Piece::kGradOutput, &launch.grad_output));
  ROIPOOL_RETURN_IF_ERROR(run.Upload(args.argmax, Piece::kArgmax, &launch.argmax));
  ROIPOOL_RETURN_IF_ERROR(run.Upload(args.rois, Piece::kRois, &launch.rois));
  ROIPOOL_RETURN_IF_ERROR(run.MakeOutput(args.grad_input, &launch.grad_input));
  CallContext context(1, run.queue());
  ROIPOOL_RETURN_IF_ERROR(LaunchRoiPoolGradOnGpu(function, *plan.gpu_kernel, context, launch));
  bool found_bad = false;
  ROIPOOL_RETURN_IF_ERROR(run.FoundBadContents(&found_bad));
  if (found_bad) return ExplainBadContents(function, plan, args.rois, args.argmax);
  return run.Download(launch.grad_input, args.grad_input, Piece::kGradInput);
}

}  // namespace

Status RunRoiPoolGradOnGpu(const char* function, RoiPoolGradPlan* plan, void* workspace) noexcept {
  if (plan->gpu.memory == MemoryKind::kHost) return RunOnHostData(function, *plan, workspace);
  UnsettledRun run;
  run.argmax = plan->args.argmax.data;
  run.rois = plan->args.rois.data;
  const auto launch = [&](CallContext& context, const DeviceMemory& memory, const DeviceMemory& state) noexcept {
    return LaunchRoiPoolGradOnGpu(function, *plan->gpu_kernel, context, MakeLaunch(*plan, memory, state));
  };
  return RunInCallersQueue(function, plan->gpu, workspace, std::move(run), launch,
                           ExplainRunsOf(function, *plan, ExplainBadRun));
}

Status SynchronizeRoiPoolGrad(const char* function, RoiPoolGradPlan* plan) noexcept {
  return SettleRuns(function, plan->gpu, ExplainRunsOf(function, *plan, ExplainBadRun));
}

}  // namespace roipool::internal
