// Phase 2 on a GPU.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cuda_driver.h"
#include "device_copier.h"
#include "gpu_launch.h"
#include "index_guard.h"
#include "launch.h"
#include "make_status.h"
#include "memory_object.h"
#include "opencl_driver.h"
#include "run.h"
#include "strided_copy.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

struct Free {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
template <typename T>
using Allocation = std::unique_ptr<T[], Free>;

template <typename T>
Allocation<T> Allocate(int64_t count) noexcept {
  return Allocation<T>(static_cast<T*>(std::malloc(static_cast<size_t>(std::max<int64_t>(count, 1)) * sizeof(T))));
}

int64_t BytesOf(const TensorLayout& layout) noexcept {
  int64_t count = 0;
  return ElementCount(layout, &count) ? count * ElementSize(layout.type) : 0;
}

DeviceMemory PieceOf(const GpuGradPlan& gpu, Piece piece, const DeviceMemory& workspace) noexcept {
  return workspace.At(reinterpret_cast<intptr_t>(gpu.layout.Carve<char>(piece, nullptr)));
}

GpuGradLaunch MakeLaunch(const RoiPoolGradPlan& plan, const DeviceMemory& workspace, const DeviceMemory& state) noexcept {
  const GpuGradPlan& gpu = plan.gpu;
  const auto piece = [&](Piece which) { return PieceOf(gpu, which, workspace); };
  return {.grad_output = {MemoryOf(plan.args.grad_output.data), plan.args.grad_output},
          .argmax = {MemoryOf(plan.args.argmax.data), plan.args.argmax},
          .rois = {MemoryOf(plan.args.rois.data), plan.args.rois},
          .grad_input = {MemoryOf(plan.args.grad_input.data), plan.args.grad_input},
          .addends_log2 = gpu.addends_log2,
          .images = piece(Piece::kImages),
          .converted_argmax = piece(Piece::kArgmax),
          .inspection_parts = piece(Piece::kInspectionParts),
          .state = state,
          .sums_in_place = gpu.sums_in_place,
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

// The bytes that a tensor in device memory spans, in host memory. False if they are not to be had any more.
bool Download(const DeviceCopier& copier, const TensorLayout& layout, const void* data, Allocation<char>* memory,
              TensorView* view) noexcept {
  ByteSpan span;
  static_cast<void>(BytesSpanned(layout, &span));
  *memory = Allocate<char>(span.end - span.begin);
  static_cast<TensorLayout&>(*view) = layout;
  view->data = memory->get() - span.begin;
  return *memory != nullptr && copier.ToHost(MemoryOf(data).At(span.begin), memory->get(), span.end - span.begin).ok();
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

// So many runs are remembered before one waits for them: nobody else might.
constexpr size_t kMostUnsettledRuns = 256;

// Waits for all runs. Returns what was wrong with the first bad one.
Status SettleRuns(const char* function, RoiPoolGradPlan* plan) noexcept {
  GpuGradPlan& gpu = plan->gpu;
  std::vector<UnsettledRun> runs;
  runs.swap(gpu.runs);
  Status first = gpu.untold;
  gpu.untold = {};
  for (UnsettledRun& run : runs) {
    DeviceCopier copier;
    Status status = copier.Open(function, gpu.device, run.queue);
    if (status.ok()) status = copier.ToHost(run.word.memory(), &run.state, sizeof(run.state));
    if (status.ok()) {
      run.word.Settle();
      if ((run.state & kFoundBadContents) != 0) status = ExplainBadRun(function, *plan, run, copier);
    }
    if (first.ok()) first = status;
  }
  return first;
}

/// A call whose data are the host's: device memory for everything, and copies both ways.
class HostDataRun {
 public:
  HostDataRun(const char* function, RoiPoolGradPlan& plan, void* workspace) noexcept
      : function_(function), plan_(plan), workspace_(workspace) {}

  Status Run() noexcept {
    OpenClQueue own;
    ROIPOOL_RETURN_IF_ERROR(OwnOpenClQueue(function_, &own));
    queue_ = {own.context, own.queue};
    ROIPOOL_RETURN_IF_ERROR(copier_.Open(function_, plan_.gpu.device, queue_));
    OpenClBuffer memory;
    ROIPOOL_RETURN_IF_ERROR(memory.Create(function_, queue_.context, static_cast<int64_t>(plan_.gpu.layout.size())));
    OpenClBuffer word;
    ROIPOOL_RETURN_IF_ERROR(word.Create(function_, queue_.context, sizeof(uint64_t)));
    GpuGradLaunch launch = MakeLaunch(plan_, memory.memory(), word.memory());
    OpenClBuffer grad_output, argmax, rois, grad_input;
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.grad_output, Piece::kGradOutput, grad_output, &launch.grad_output));
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.argmax, Piece::kArgmax, argmax, &launch.argmax));
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.rois, Piece::kRois, rois, &launch.rois));
    ROIPOOL_RETURN_IF_ERROR(grad_input.Create(function_, queue_.context, BytesOf(plan_.args.grad_input)));
    launch.grad_input = {grad_input.memory(), DenseLike(plan_.args.grad_input)};

    CallContext context(1, queue_);
    ROIPOOL_RETURN_IF_ERROR(LaunchRoiPoolGradOnGpu(function_, *plan_.gpu_kernel, context, launch));
    uint64_t state = 0;
    ROIPOOL_RETURN_IF_ERROR(copier_.ToHost(launch.state, &state, sizeof(state)));
    if ((state & kFoundBadContents) != 0) return ExplainBadContents(function_, plan_, plan_.args.rois, plan_.args.argmax);
    return DownloadResult(launch.grad_input);
  }

 private:
  Status Upload(const TensorView& tensor, Piece piece, OpenClBuffer& buffer, DeviceTensor* uploaded) noexcept {
    const TensorLayout dense = DenseLike(tensor);
    const int64_t bytes = BytesOf(dense);
    const void* data = tensor.data;
    if (void* staging = plan_.workspace.Carve<void>(piece, workspace_)) {
      CopyInto(tensor, dense, staging);
      data = staging;
    }
    ROIPOOL_RETURN_IF_ERROR(buffer.Create(function_, queue_.context, bytes));
    if (bytes > 0) ROIPOOL_RETURN_IF_ERROR(copier_.ToDevice(data, buffer.memory(), bytes));
    *uploaded = {buffer.memory(), dense};
    return {};
  }

  Status DownloadResult(const DeviceTensor& result) noexcept {
    void* staging = plan_.workspace.Carve<void>(Piece::kGradInput, workspace_);
    void* data = staging == nullptr ? plan_.args.grad_input.data : staging;
    ROIPOOL_RETURN_IF_ERROR(copier_.ToHost(result.memory, data, BytesOf(result.layout)));
    if (staging != nullptr) CopyStrided(result.layout, staging, plan_.args.grad_input, plan_.args.grad_input.data);
    return {};
  }

  // Copies of four dimensions serve rois as well.
  static void CopyInto(const TensorView& from, const TensorLayout& to_layout, void* to) noexcept {
    TensorLayout from_layout = from, dense = to_layout;
    for (TensorLayout* layout : {&from_layout, &dense}) {
      if (layout->rank != 2) continue;
      for (int d = 0; d < 2; ++d) {
        layout->shape[d + 2] = layout->shape[d];
        layout->strides[d + 2] = layout->strides[d];
        layout->shape[d] = 1;
        layout->strides[d] = 0;
      }
      layout->rank = 4;
    }
    CopyStrided(from_layout, from.data, dense, to);
  }

  const char* function_;
  RoiPoolGradPlan& plan_;
  void* workspace_;
  DeviceQueue queue_;
  DeviceCopier copier_;
};

// The context that is current here, unless the options name one.
Status ResolveQueue(const char* function, const GpuGradPlan& gpu, DeviceQueue* queue) noexcept {
  *queue = gpu.queue;
  if (gpu.device != Device::kCuda || queue->context != nullptr) return {};
  return CurrentCudaContext(function, "options.device_context", &queue->context);
}

// The caller's workspace. A part of a memory object cannot be divided once more.
Status ResolveWorkspace(const char* function, const GpuGradPlan& gpu, void* workspace, DeviceMemory* memory) noexcept {
  *memory = MemoryOf(workspace);
  if (gpu.memory != MemoryKind::kObject) return {};
  MemoryObject object;
  ROIPOOL_RETURN_IF_ERROR(Describe(function, workspace, &object));
  *memory = MemoryOf(object.whole).At(static_cast<int64_t>(object.begin));
  return {};
}

}  // namespace

Status RunRoiPoolGradOnGpu(const char* function, RoiPoolGradPlan* plan, void* workspace) noexcept {
  GpuGradPlan& gpu = plan->gpu;
  if (gpu.memory == MemoryKind::kHost) return HostDataRun(function, *plan, workspace).Run();
  UnsettledRun run;
  run.argmax = plan->args.argmax.data;
  run.rois = plan->args.rois.data;
  DeviceMemory workspace_memory;
  ROIPOOL_RETURN_IF_ERROR(ResolveWorkspace(function, gpu, workspace, &workspace_memory));
  ROIPOOL_RETURN_IF_ERROR(ResolveQueue(function, gpu, &run.queue));
  if (gpu.runs.size() >= kMostUnsettledRuns) gpu.untold = SettleRuns(function, plan);
  try {
    gpu.runs.reserve(gpu.runs.size() + 1);
  } catch (const std::bad_alloc&) {
    return MakeStatus(StatusCode::kOutOfMemory, "%s: no memory to remember a run", function);
  }
  ROIPOOL_RETURN_IF_ERROR(run.word.Take(function, gpu.device, run.queue));
  CallContext context(1, run.queue);
  ROIPOOL_RETURN_IF_ERROR(
      LaunchRoiPoolGradOnGpu(function, *plan->gpu_kernel, context, MakeLaunch(*plan, workspace_memory, run.word.memory())));
  gpu.runs.push_back(std::move(run));
  return {};
}

Status SynchronizeRoiPoolGrad(const char* function, RoiPoolGradPlan* plan) noexcept { return SettleRuns(function, plan); }

}  // namespace roipool::internal
