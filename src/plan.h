// What phase 1 decides about a call, and phase 2 follows.
#ifndef ROIPOOL_SRC_PLAN_H_
#define ROIPOOL_SRC_PLAN_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "call_context.h"
#include "gpu_kernel_registry.h"
#include "grad_tasks.h"
#include "kernel_registry.h"
#include "kernel_select.h"
#include "pool_tasks.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "unsettled_run.h"
#include "validate.h"
#include "workspace.h"

namespace roipool::internal {

/// Where the data of a call are.
enum class MemoryKind {
  kHost,     ///< OpenCL in this library's own queue; phase 2 copies.
  kAddress,  ///< CUDA's device addresses, or a CPU's.
  kObject,   ///< OpenCL's memory objects.
};

/// A part of a memory object must begin at a multiple of what OpenCL's devices call CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4096 bits at
/// most.
constexpr int64_t kDeviceAlignment = 512;

/// What a GPU's phase 2 follows beside the rest of the plan.
struct GpuPlan {
  Device device = Device::kCpu;
  DeviceQueue queue;  ///< As the options give it.
  MemoryKind memory = MemoryKind::kAddress;
  Workspace layout =
      Workspace(kDeviceAlignment);  ///< Of device memory. It is the caller's workspace, unless the data are the host's.
  std::vector<UnsettledRun> runs;   ///< In the order in which they were begun.
  Status untold;                    ///< The first error of runs before them.
};

/// Common to both operators.
struct Plan {
  Dims dims;
  const Kernel* kernel = nullptr;         ///< Null if there is nothing to compute, or on a GPU.
  const GpuKernel* gpu_kernel = nullptr;  ///< Null if there is nothing to compute, or on a CPU.
  int32_t threads = 1;
  ShapeClass shape_class = ShapeClass::kTiny;
  KernelChoice choice;       ///< Unless kernel is null.
  GpuPlan gpu;               ///< If gpu_kernel is set.
  bool has_handles = false;  ///< Whether the tensors' data are memory objects rather than addresses.
  Workspace workspace;       ///< A booked copy of a tensor tells that its kernel cannot walk the tensor itself.

  /// "none" if there is nothing to compute.
  const char* kernel_name() const noexcept {
    return gpu_kernel != nullptr && dims.rois > 0 ? gpu_kernel->name : kernel != nullptr ? kernel->name : "none";
  }
  CallSizes sizes() const noexcept { return {dims.rois, dims.channels, dims.bins(), dims.images, dims.pixels()}; }
};

/// How a GPU's gradient is summed.
struct GpuGradPlan {
  bool sums_in_place = false;
  int32_t addends_log2 = 0;
};

struct RoiPoolGradPlan : Plan {
  RoiPoolGradArgs args;                  ///< With the strides of dimensions of extent 1 set to 0.
  GradTasks tasks;                       ///< Unless kernel is null.
  GpuGradPlan gpu_grad;                  ///< If gpu_kernel is set.
  const Kernel* float_kernel = nullptr;  ///< In fixed point: for gradients that are not finite.
};

struct RoiPoolPlan : Plan {
  RoiPoolArgs args;  ///< As above.
  PoolTasks tasks;   ///< Unless kernel is null.
  bool rounds_corners = true;
  RoiLayout roi_layout = RoiLayout::kX1Y1X2Y2;

  /// As tasks see them: maps without pixels are all one.
  CallSizes task_sizes() const noexcept {
    CallSizes all = sizes();
    if (all.pixels == 0) all.images = std::min<int64_t>(all.images, 1);
    return all;
  }
};

/// Chooses the kernel and books the workspace for arguments that have passed validation.
Status PlanRoiPoolGrad(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                       RoiPoolGradPlan* plan) noexcept;
/// The same for a GPU.
Status PlanRoiPoolGradOnGpu(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                            RoiPoolGradPlan* plan) noexcept;
/// The part behind the choice: completes a plan whose dims, args, kernel and threads are set.
Status LayOutRoiPoolGrad(const char* function, const CallKnobs& knobs, RoiPoolGradPlan* plan) noexcept;
Status PlanRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                   RoiPoolPlan* plan) noexcept;
Status PlanRoiPoolOnGpu(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                        RoiPoolPlan* plan) noexcept;
/// As LayOutRoiPoolGrad().
Status LayOutRoiPool(const char* function, const CallKnobs& knobs, RoiPoolPlan* plan) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_PLAN_H_
