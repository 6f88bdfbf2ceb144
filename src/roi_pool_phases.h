// Both phases of the forward behind the native API and the C API, which differ in the names their messages use.
#ifndef ROIPOOL_SRC_ROI_POOL_PHASES_H_
#define ROIPOOL_SRC_ROI_POOL_PHASES_H_

#include <cstdint>

#include "names.h"
#include "roipool/roi_pool.h"

namespace roipool::internal {

/// RoiPoolGetWorkspaceSize, RoiPool and SetRoiPoolData of the public header, with other names in messages.
Status PlanRoiPoolExecutor(const Names& names, const RoiPoolArgs& args, const Options& options, uint64_t* workspace_size,
                           ExecutorPtr* executor) noexcept;
Status RunRoiPoolExecutor(const Names& names, void* workspace, uint64_t workspace_size, Executor* executor) noexcept;
Status SetRoiPoolData(const Names& names, Executor* executor, const void* x, const void* rois, void* y, void* argmax) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_ROI_POOL_PHASES_H_
