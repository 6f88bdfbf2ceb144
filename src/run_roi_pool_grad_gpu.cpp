// Phase 2 on a GPU.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "cuda_driver.h"
#include "gpu_launch.h"
#include "index_guard.h"
#include "launch.h"
#include "make_status.h"
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

// OpenCL's memory object.
void* ObjectOf(const DeviceMemory& memory) noexcept {
  return reinterpret_cast<void*>(memory.handle);  // NOLINT(performance-no-int-to-ptr): it was one
}

/// Copies between host and device memory, in a queue's order, and waits for it.
class DeviceCopier {
 public:
  Status Open(const char* function, const GpuGradPlan& gpu, const DeviceQueue& queue) noexcept {
    function_ = function;
    device_ = gpu.device;
    queue_ = queue;
    return device_ == Device::kCuda ? OpenCudaDriver(function, &cuda_) : OpenOpenClDriver(function, &opencl_);
  }

  Status ToHost(const DeviceMemory& from, void* to, int64_t bytes) const noexcept {
    const auto offset = static_cast<size_t>(from.offset), size = static_cast<size_t>(bytes);
    if (device_ == Device::kCuda) {
      const CudaContextScope scope(*cuda_, queue_.context);
      ROIPOOL_RETURN_IF_ERROR(CudaStatus(function_, "cuCtxPushCurrent_v2", scope.error()));
      ROIPOOL_CUDA_CALL(function_, cuda_, cuStreamSynchronize, (queue_.stream));
      ROIPOOL_CUDA_CALL(function_, cuda_, cuMemcpyDtoH_v2, (to, from.handle + offset, size));
      return {};
    }
    void* const object = ObjectOf(from);
    ROIPOOL_OPENCL_CALL(function_, opencl_, clEnqueueReadBuffer,
                        (queue_.stream, object, 1, offset, size, to, 0, nullptr, nullptr));
    return {};
  }

  Status ToDevice(const void* from, const DeviceMemory& to, int64_t bytes) const noexcept {
    void* const object = ObjectOf(to);
    ROIPOOL_OPENCL_CALL(
        function_, opencl_, clEnqueueWriteBuffer,
        (queue_.stream, object, 1, static_cast<size_t>(to.offset), static_cast<size_t>(bytes), from, 0, nullptr, nullptr));
    return {};
  }

  /// Does not wait.
  Status Zero(const DeviceMemory& memory, int64_t bytes) const noexcept {
    const auto offset = static_cast<size_t>(memory.offset), size = static_cast<size_t>(bytes);
    if (device_ == Device::kCuda) {
      const CudaContextScope scope(*cuda_, queue_.context);
      ROIPOOL_RETURN_IF_ERROR(CudaStatus(function_, "cuCtxPushCurrent_v2", scope.error()));
      ROIPOOL_CUDA_CALL(function_, cuda_, cuMemsetD8Async, (memory.handle + offset, 0, size, queue_.stream));
      return {};
    }
    constexpr uint8_t kZero = 0;
    void* const object = ObjectOf(memory);
    ROIPOOL_OPENCL_CALL(function_, opencl_, clEnqueueFillBuffer,
                        (queue_.stream, object, &kZero, 1, offset, size, 0, nullptr, nullptr));
    return {};
  }

 private:
  const char* function_ = nullptr;
  Device device_ = Device::kCpu;
  DeviceQueue queue_;
  const CudaDriver* cuda_ = nullptr;
  const OpenClDriver* opencl_ = nullptr;
};

/// A memory object of our own.
class OpenClBuffer {
 public:
  OpenClBuffer() = default;
  ~OpenClBuffer() {
    if (object_ != nullptr) driver_->clReleaseMemObject(object_);
  }
  OpenClBuffer(const OpenClBuffer&) = delete;
  OpenClBuffer& operator=(const OpenClBuffer&) = delete;

  Status Create(const char* function, void* context, int64_t bytes) noexcept {
    ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(function, &driver_));
    int error = 0;
    object_ = driver_->clCreateBuffer(context, 0, static_cast<size_t>(std::max<int64_t>(bytes, 1)), nullptr, &error);
    ROIPOOL_CHECK(error == 0, StatusCode::kOutOfMemory, "%s: clCreateBuffer returned %d for %lld bytes", function, error,
                  static_cast<long long>(bytes));
    return {};
  }
  DeviceMemory memory() const noexcept { return {reinterpret_cast<uint64_t>(object_), 0}; }

 private:
  const OpenClDriver* driver_ = nullptr;
  void* object_ = nullptr;
};

int64_t BytesOf(const TensorLayout& layout) noexcept {
  int64_t count = 0;
  return ElementCount(layout, &count) ? count * ElementSize(layout.type) : 0;
}

DeviceMemory MemoryOf(const void* data) noexcept { return {reinterpret_cast<uint64_t>(data), 0}; }

DeviceMemory PieceOf(const GpuGradPlan& gpu, Piece piece, const DeviceMemory& workspace) noexcept {
  return workspace.At(reinterpret_cast<intptr_t>(gpu.layout.Carve<char>(piece, nullptr)));
}

GpuGradLaunch MakeLaunch(const RoiPoolGradPlan& plan, const DeviceMemory& workspace) noexcept {
  const GpuGradPlan& gpu = plan.gpu;
  const auto piece = [&](Piece which) { return PieceOf(gpu, which, workspace); };
  return {.grad_output = {MemoryOf(plan.args.grad_output.data), plan.args.grad_output},
          .argmax = {MemoryOf(plan.args.argmax.data), plan.args.argmax},
          .rois = {MemoryOf(plan.args.rois.data), plan.args.rois},
          .grad_input = {MemoryOf(plan.args.grad_input.data), plan.args.grad_input},
          .addends_log2 = gpu.addends_log2,
          .images = piece(Piece::kImages),
          .converted_argmax = piece(Piece::kArgmax),
          .part = piece(Piece::kInspectionPart),
          .lane = piece(Piece::kInspectionLane),
          .state = piece(Piece::kState),
          .sums_in_place = gpu.sums_in_place,
          .sum = piece(Piece::kSums),
          .float_sum = piece(Piece::kFloatSums)};
}

// A call without rois: the sums are zeroed by the driver.
Status Launch(const char* function, const RoiPoolGradPlan& plan, CallContext& context, const GpuGradLaunch& launch,
              const DeviceCopier& copier) noexcept {
  if (plan.dims.rois > 0) return LaunchRoiPoolGradOnGpu(function, *plan.gpu_kernel, context, launch);
  int64_t count = 0;
  static_cast<void>(ElementCount(launch.grad_input.layout, &count));
  const DataType sum_type = SumType(plan.gpu_kernel->type, plan.gpu_kernel->accumulation);
  ROIPOOL_RETURN_IF_ERROR(copier.Zero(launch.state, sizeof(uint64_t)));
  ROIPOOL_RETURN_IF_ERROR(copier.Zero(launch.sum, count * ElementSize(sum_type)));
  if (plan.gpu_kernel->accumulation == Accumulation::kFixedPoint) {
    const DataType float_type = SumType(plan.gpu_kernel->type, Accumulation::kFloat);
    ROIPOOL_RETURN_IF_ERROR(copier.Zero(launch.float_sum, count * ElementSize(float_type)));
  }
  return LaunchZeroGradOnGpu(function, *plan.gpu_kernel, context, launch);
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

// The bytes that a tensor in device memory spans, in host memory.
Status Download(const char* function, const DeviceCopier& copier, const TensorView& tensor, Allocation<char>* memory,
                TensorView* view) noexcept {
  ByteSpan span;
  static_cast<void>(BytesSpanned(tensor, &span));
  *memory = Allocate<char>(span.end - span.begin);
  ROIPOOL_CHECK(*memory != nullptr, StatusCode::kOutOfRange, "%s: an image index or an entry of argmax is out of range",
                function);
  ROIPOOL_RETURN_IF_ERROR(copier.ToHost(MemoryOf(tensor.data).At(span.begin), memory->get(), span.end - span.begin));
  *view = tensor;
  view->data = memory->get() - span.begin;
  return {};
}

Status ExplainBadDeviceContents(const char* function, const RoiPoolGradPlan& plan, const DeviceCopier& copier) noexcept {
  Allocation<char> rois_memory, argmax_memory;
  TensorView rois, argmax;
  ROIPOOL_RETURN_IF_ERROR(Download(function, copier, plan.args.rois, &rois_memory, &rois));
  ROIPOOL_RETURN_IF_ERROR(Download(function, copier, plan.args.argmax, &argmax_memory, &argmax));
  return ExplainBadContents(function, plan, rois, argmax);
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
    ROIPOOL_RETURN_IF_ERROR(copier_.Open(function_, plan_.gpu, queue_));
    OpenClBuffer memory;
    ROIPOOL_RETURN_IF_ERROR(memory.Create(function_, queue_.context, static_cast<int64_t>(plan_.gpu.layout.size())));
    GpuGradLaunch launch = MakeLaunch(plan_, memory.memory());
    OpenClBuffer grad_output, argmax, rois, grad_input;
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.grad_output, Piece::kGradOutput, grad_output, &launch.grad_output));
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.argmax, Piece::kArgmax, argmax, &launch.argmax));
    ROIPOOL_RETURN_IF_ERROR(Upload(plan_.args.rois, Piece::kRois, rois, &launch.rois));
    ROIPOOL_RETURN_IF_ERROR(grad_input.Create(function_, queue_.context, BytesOf(plan_.args.grad_input)));
    launch.grad_input = {grad_input.memory(), DenseLike(plan_.args.grad_input)};

    CallContext context(1, queue_);
    ROIPOOL_RETURN_IF_ERROR(Launch(function_, plan_, context, launch, copier_));
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
  const CudaDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenCudaDriver(function, &driver));
  ROIPOOL_CUDA_CALL(function, driver, cuCtxGetCurrent, (&queue->context));
  ROIPOOL_CHECK(queue->context != nullptr, StatusCode::kInvalidState,
                "%s: no CUDA context is current in this thread; make one current or set options.device_context", function);
  return {};
}

}  // namespace

Status RunRoiPoolGradOnGpu(const char* function, RoiPoolGradPlan* plan, void* workspace) noexcept {
  GpuGradPlan& gpu = plan->gpu;
  if (gpu.memory == MemoryKind::kHost) return HostDataRun(function, *plan, workspace).Run();
  DeviceQueue queue;
  ROIPOOL_RETURN_IF_ERROR(ResolveQueue(function, gpu, &queue));
  DeviceCopier copier;
  ROIPOOL_RETURN_IF_ERROR(copier.Open(function, gpu, queue));
  CallContext context(1, queue);
  gpu.last_workspace = workspace;
  gpu.last_queue = queue;
  const Status status = Launch(function, *plan, context, MakeLaunch(*plan, MemoryOf(workspace)), copier);
  if (!status.ok()) gpu.last_workspace = nullptr;
  return status;
}

Status SynchronizeRoiPoolGrad(const char* function, RoiPoolGradPlan* plan) noexcept {
  GpuGradPlan& gpu = plan->gpu;
  if (gpu.last_workspace == nullptr) return {};
  const DeviceMemory workspace = MemoryOf(gpu.last_workspace);
  gpu.last_workspace = nullptr;
  DeviceCopier copier;
  ROIPOOL_RETURN_IF_ERROR(copier.Open(function, gpu, gpu.last_queue));
  uint64_t state = 0;
  ROIPOOL_RETURN_IF_ERROR(copier.ToHost(PieceOf(gpu, Piece::kState, workspace), &state, sizeof(state)));
  return (state & kFoundBadContents) == 0 ? Status() : ExplainBadDeviceContents(function, *plan, copier);
}

}  // namespace roipool::internal
