// Phase 2 behind its checks of state, workspace and pointers: contents are checked, copies made, the kernel called.
#ifndef ROIPOOL_SRC_RUN_H_
#define ROIPOOL_SRC_RUN_H_

#include "plan.h"
#include "roipool/status.h"

namespace roipool::internal {

/// `workspace` has the plan's size and alignment.
Status RunRoiPoolGrad(const char* function, const RoiPoolGradPlan& plan, void* workspace) noexcept;
Status RunRoiPool(const char* function, const RoiPoolPlan& plan, void* workspace) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_RUN_H_
