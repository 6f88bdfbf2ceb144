// Phase 2 behind its checks of state, workspace and pointers: contents are checked, copies made, the kernel called.
#ifndef ROIPOOL_SRC_RUN_H_
#define ROIPOOL_SRC_RUN_H_

#include "plan.h"
#include "roipool/status.h"

namespace roipool::internal {

/// `workspace` has the plan's size and alignment.
Status RunRoiPoolGrad(const char* function, const RoiPoolGradPlan& plan, void* workspace) noexcept;
/// Puts a GPU's work on its queue; waits for it only if the data are the host's.
Status RunRoiPoolGradOnGpu(const char* function, RoiPoolGradPlan* plan, void* workspace) noexcept;
/// Waits for the runs that were begun, and says what was wrong with the first bad one.
Status SynchronizeRoiPoolGrad(const char* function, RoiPoolGradPlan* plan) noexcept;
Status RunRoiPool(const char* function, const RoiPoolPlan& plan, void* workspace) noexcept;
/// As the gradient's.
Status RunRoiPoolOnGpu(const char* function, RoiPoolPlan* plan, void* workspace) noexcept;
Status SynchronizeRoiPool(const char* function, RoiPoolPlan* plan) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_RUN_H_
