#include "gpu_run.h"

#include <new>

#include "cuda_driver.h"
#include "make_status.h"
#include "memory_object.h"
#include "opencl_driver.h"
#include "strided_copy.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

int64_t BytesOf(const TensorLayout& layout) noexcept {
  int64_t count = 0;
  return ElementCount(layout, &count) ? count * ElementSize(layout.type) : 0;
}

// Copies of four dimensions serve rois as well.
void CopyInto(const TensorView& from, const TensorLayout& to_layout, void* to) noexcept {
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

// The context that is current here, unless the options name one.
Status ResolveQueue(const char* function, const GpuPlan& gpu, DeviceQueue* queue) noexcept {
  *queue = gpu.queue;
  if (gpu.device != Device::kCuda || queue->context != nullptr) return {};
  return CurrentCudaContext(function, "options.device_context", &queue->context);
}

// The caller's workspace. A part of a memory object cannot be divided once more.
Status ResolveWorkspace(const char* function, const GpuPlan& gpu, const void* workspace, DeviceMemory* memory) noexcept {
  *memory = MemoryOf(workspace);
  if (gpu.memory != MemoryKind::kObject) return {};
  MemoryObject object;
  ROIPOOL_RETURN_IF_ERROR(Describe(function, workspace, &object));
  *memory = MemoryOf(object.whole).At(static_cast<int64_t>(object.begin));
  return {};
}

}  // namespace

bool Download(const DeviceCopier& copier, const TensorLayout& layout, const void* data, Allocation<char>* memory,
              TensorView* view) noexcept {
  ByteSpan span;
  static_cast<void>(BytesSpanned(layout, &span));
  *memory = Allocate<char>(span.end - span.begin);
  static_cast<TensorLayout&>(*view) = layout;
  view->data = memory->get() - span.begin;
  return *memory != nullptr && copier.ToHost(MemoryOf(data).At(span.begin), memory->get(), span.end - span.begin).ok();
}

Status HostDataRun::Begin() noexcept {
  OpenClQueue own;
  ROIPOOL_RETURN_IF_ERROR(OwnOpenClQueue(function_, &own));
  queue_ = {own.context, own.queue};
  ROIPOOL_RETURN_IF_ERROR(copier_.Open(function_, plan_.gpu.device, queue_));
  ROIPOOL_RETURN_IF_ERROR(memory_.Create(function_, queue_.context, static_cast<int64_t>(plan_.gpu.layout.size())));
  return state_.Create(function_, queue_.context, sizeof(uint64_t));
}

Status HostDataRun::MakeTensor(const TensorLayout& dense, DeviceTensor* tensor) noexcept {
  OpenClBuffer& buffer = tensors_[tensor_count_++];
  ROIPOOL_RETURN_IF_ERROR(buffer.Create(function_, queue_.context, BytesOf(dense)));
  *tensor = {buffer.memory(), dense};
  return {};
}

Status HostDataRun::Upload(const TensorView& tensor, Piece piece, DeviceTensor* uploaded) noexcept {
  const TensorLayout dense = DenseLike(tensor);
  const int64_t bytes = BytesOf(dense);
  const void* data = tensor.data;
  if (void* staging = plan_.workspace.Carve<void>(piece, workspace_)) {
    CopyInto(tensor, dense, staging);
    data = staging;
  }
  ROIPOOL_RETURN_IF_ERROR(MakeTensor(dense, uploaded));
  return bytes == 0 ? Status() : copier_.ToDevice(data, uploaded->memory, bytes);
}

Status HostDataRun::MakeOutput(const TensorLayout& layout, DeviceTensor* output) noexcept {
  return MakeTensor(DenseLike(layout), output);
}

Status HostDataRun::FoundBadContents(bool* found) noexcept {
  uint64_t word = 0;
  ROIPOOL_RETURN_IF_ERROR(copier_.ToHost(state(), &word, sizeof(word)));
  *found = (word & kFoundBadContents) != 0;
  return {};
}

Status HostDataRun::Download(const DeviceTensor& output, const MutableTensorView& tensor, Piece piece) noexcept {
  void* staging = plan_.workspace.Carve<void>(piece, workspace_);
  void* data = staging == nullptr ? tensor.data : staging;
  ROIPOOL_RETURN_IF_ERROR(copier_.ToHost(output.memory, data, BytesOf(output.layout)));
  if (staging != nullptr) CopyStrided(output.layout, staging, tensor, tensor.data);
  return {};
}

Status PrepareRun(const char* function, GpuPlan& gpu, const void* workspace, UnsettledRun* run,
                  DeviceMemory* workspace_memory) noexcept {
  ROIPOOL_RETURN_IF_ERROR(ResolveWorkspace(function, gpu, workspace, workspace_memory));
  ROIPOOL_RETURN_IF_ERROR(ResolveQueue(function, gpu, &run->queue));
  try {
    gpu.runs.reserve(gpu.runs.size() + 1);
  } catch (const std::bad_alloc&) {
    return MakeStatus(StatusCode::kOutOfMemory, "%s: no memory to remember a run", function);
  }
  return run->word.Take(function, gpu.device, run->queue);
}

Status SettleRun(const char* function, Device device, UnsettledRun& run, DeviceCopier& copier) noexcept {
  ROIPOOL_RETURN_IF_ERROR(copier.Open(function, device, run.queue));
  ROIPOOL_RETURN_IF_ERROR(copier.ToHost(run.word.memory(), &run.state, sizeof(run.state)));
  run.word.Settle();
  return {};
}

}  // namespace roipool::internal
