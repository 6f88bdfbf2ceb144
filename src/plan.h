// What phase 1 decides about a call, and phase 2 follows.
#ifndef ROIPOOL_SRC_PLAN_H_
#define ROIPOOL_SRC_PLAN_H_

#include <cstdint>

#include "grad_tasks.h"
#include "kernel_registry.h"
#include "kernel_select.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"
#include "validate.h"
#include "workspace.h"

namespace roipool::internal {

/// Common to both operators.
struct Plan {
  Dims dims;
  const Kernel* kernel = nullptr;  ///< Null if there is nothing to compute.
  int32_t threads = 1;
  ShapeClass shape_class = ShapeClass::kTiny;
  KernelChoice choice;  ///< Unless kernel is null.
  Workspace workspace;  ///< A booked copy of a tensor tells that its kernel cannot walk the tensor itself.

  CallSizes sizes() const noexcept { return {dims.rois, dims.channels, dims.bins(), dims.images, dims.pixels()}; }
};

struct RoiPoolGradPlan : Plan {
  RoiPoolGradArgs args;  ///< With the strides of dimensions of extent 1 set to 0.
  GradTasks tasks;       ///< Unless kernel is null.
  const Kernel* float_kernel = nullptr;  ///< In fixed point: for gradients that are not finite.
};

struct RoiPoolPlan : Plan {
  RoiPoolArgs args;  ///< As above.
  bool rounds_corners = true;
  RoiLayout roi_layout = RoiLayout::kX1Y1X2Y2;
};

/// Chooses the kernel and books the workspace for arguments that have passed validation.
Status PlanRoiPoolGrad(const char* function, const RoiPoolGradArgs& args, const Options& options, const Dims& dims,
                       RoiPoolGradPlan* plan) noexcept;
/// The part behind the choice: completes a plan whose dims, args, kernel and threads are set.
Status LayOutRoiPoolGrad(const char* function, const GradCallKnobs& knobs, RoiPoolGradPlan* plan) noexcept;
Status PlanRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, const Dims& dims,
                   RoiPoolPlan* plan) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_PLAN_H_
