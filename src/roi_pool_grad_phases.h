// Both phases of the gradient behind the native API and the C API, which differ in the names their messages use.
#ifndef ROIPOOL_SRC_ROI_POOL_GRAD_PHASES_H_
#define ROIPOOL_SRC_ROI_POOL_GRAD_PHASES_H_

#include <cstdint>

#include "names.h"
#include "roipool/roi_pool_grad.h"

namespace roipool::internal {

/// RoiPoolGradGetWorkspaceSize, RoiPoolGrad and SetRoiPoolGradData of the public header, with other names in messages.
Status PlanRoiPoolGradExecutor(const Names& names, const RoiPoolGradArgs& args, const Options& options,
                               uint64_t* workspace_size, ExecutorPtr* executor) noexcept;
Status RunRoiPoolGradExecutor(const Names& names, void* workspace, uint64_t workspace_size, Executor* executor) noexcept;
Status SetRoiPoolGradData(const Names& names, Executor* executor, const void* grad_output, const void* argmax, const void* rois,
                          void* grad_input) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_ROI_POOL_GRAD_PHASES_H_
