// Phase 2 on a GPU: the steps that operators share.
#ifndef ROIPOOL_SRC_GPU_RUN_H_
#define ROIPOOL_SRC_GPU_RUN_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "device_copier.h"
#include "gpu_call.h"
#include "make_status.h"
#include "plan.h"
#include "roipool/tensor.h"

namespace roipool::internal {

struct Free {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
template <typename T>
using Allocation = std::unique_ptr<T[], Free>;

/// Null without memory.
template <typename T>
Allocation<T> Allocate(int64_t count) noexcept {
  return Allocation<T>(static_cast<T*>(std::malloc(static_cast<size_t>(std::max<int64_t>(count, 1)) * sizeof(T))));
}

/// No memory if the piece was not booked.
inline DeviceMemory PieceOf(const GpuPlan& gpu, Piece piece, const DeviceMemory& workspace) noexcept {
  return gpu.layout.IsBooked(piece) ? workspace.At(gpu.layout.OffsetOf(piece)) : DeviceMemory();
}

/// The bytes that a tensor in device memory spans, in host memory. False if they are not to be had any more.
bool Download(const DeviceCopier& copier, const TensorLayout& layout, const void* data, Allocation<char>* memory,
              TensorView* view) noexcept;

/// A call whose data are the host's: device memory for everything, and copies both ways. Kernels see dense tensors.
class HostDataRun {
 public:
  HostDataRun(const char* function, const Plan& plan, void* workspace) noexcept
      : function_(function), plan_(plan), workspace_(workspace) {}

  /// Takes the library's own queue, and makes the device's workspace and state.
  Status Begin() noexcept;
  const DeviceQueue& queue() const noexcept { return queue_; }
  const DeviceMemory memory() const noexcept { return memory_.memory(); }
  const DeviceMemory state() const noexcept { return state_.memory(); }

  /// `piece`: where the workspace has room for a dense copy, if it has.
  Status Upload(const TensorView& tensor, Piece piece, DeviceTensor* uploaded) noexcept;
  Status MakeOutput(const TensorLayout& layout, DeviceTensor* output) noexcept;
  /// Waits for the kernels.
  Status FoundBadContents(bool* found) noexcept;
  Status Download(const DeviceTensor& output, const MutableTensorView& tensor, Piece piece) noexcept;

 private:
  Status MakeTensor(const TensorLayout& dense, DeviceTensor* tensor) noexcept;

  static constexpr size_t kMostTensors = 4;
  const char* function_;
  const Plan& plan_;
  void* workspace_;
  DeviceQueue queue_;
  DeviceCopier copier_;
  OpenClBuffer memory_, state_;
  std::array<OpenClBuffer, kMostTensors> tensors_;
  size_t tensor_count_ = 0;
};

/// Prepares a run on the caller's data: the context that is current here unless the options name one, a word for the verdict,
/// a place among the plan's runs; and where the workspace is.
Status PrepareRun(const char* function, GpuPlan& gpu, const void* workspace, UnsettledRun* run,
                  DeviceMemory* workspace_memory) noexcept;

/// So many runs are remembered before one waits for them: nobody else might.
constexpr size_t kMostUnsettledRuns = 256;

/// Waits for one run, and reads its state.
Status SettleRun(const char* function, Device device, UnsettledRun& run, DeviceCopier& copier) noexcept;

/// explain(run, copier) of the runs of one plan.
template <typename Plan>
auto ExplainRunsOf(const char* function, const Plan& plan,
                   Status (*explain)(const char*, const Plan&, const UnsettledRun&, const DeviceCopier&) noexcept) noexcept {
  return
      [=, &plan](const UnsettledRun& run, const DeviceCopier& copier) noexcept { return explain(function, plan, run, copier); };
}

/// Waits for all runs. Returns what was wrong with the first bad one; explain(run, copier) names what is wrong with contents.
template <typename Explain>
Status SettleRuns(const char* function, GpuPlan& gpu, const Explain& explain) noexcept {
  std::vector<UnsettledRun> runs;
  runs.swap(gpu.runs);
  Status first = std::exchange(gpu.untold, {});
  for (UnsettledRun& run : runs) {
    DeviceCopier copier;
    Status status = SettleRun(function, gpu.device, run, copier);
    if (status.ok() && (run.state & kFoundBadContents) != 0) status = explain(run, copier);
    if (first.ok()) first = status;
  }
  return first;
}

/// Puts a run on the caller's queue: launch(context, workspace, state) calls the kernels.
template <typename Launch, typename Explain>
Status RunInCallersQueue(const char* function, GpuPlan& gpu, const void* workspace, UnsettledRun run, const Launch& launch,
                         const Explain& explain) noexcept {
  if (gpu.runs.size() >= kMostUnsettledRuns) gpu.untold = SettleRuns(function, gpu, explain);
  DeviceMemory workspace_memory;
  ROIPOOL_RETURN_IF_ERROR(PrepareRun(function, gpu, workspace, &run, &workspace_memory));
  CallContext context(1, run.queue);
  ROIPOOL_RETURN_IF_ERROR(launch(context, workspace_memory, run.word.memory()));
  gpu.runs.push_back(std::move(run));  // Has room.
  return {};
}

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_GPU_RUN_H_
