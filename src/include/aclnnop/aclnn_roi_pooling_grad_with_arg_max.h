/* The gradient of RoI max pooling as an aclnn operator. C11 and C++11. */
#ifndef ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_
#define ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phase 1: checks the arguments, chooses a kernel and sizes the workspace.
 *
 * gradOutput: (R, C, pooledH, pooledW), FLOAT or FLOAT16. gradInputRef: (N, C, H, W), the type of gradOutput; written, though
 * its handle is const. rois: (R, 5), FLOAT or FLOAT16, rows (image, x1, x2, y1, y2) unless roipoolAclnnSetRoiLayout says
 * otherwise. argmax: (R, C, pooledH, pooledW), INT32 (also INT64, or the type of gradOutput): h*W + w, or -1. Any strides,
 * format ND. spatialScale: finite and above 0; the coordinates never enter the sum.
 *
 * *workspaceSize is 0 and *executor null on failure. Values of rois are checked here if their address is set, and again in
 * phase 2 as far as memory safety needs it. The tensors' handles may be destroyed before phase 2, their memory may not. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* gradInputRef, const aclTensor* rois, const aclTensor* argmax, int64_t pooledH,
    int64_t pooledW, double spatialScale, uint64_t* workspaceSize, aclOpExecutor** executor);

/* Phase 2: overwrites gradInputRef with the gradient; on this CPU it is there when the call returns. Frees the executor,
 * whether it succeeds or fails, unless it is repeatable. The workspace: *workspaceSize bytes aligned to 64, as aclrtMalloc
 * gives them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRoiPoolingGradWithArgMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                                              aclrtStream stream);

typedef enum {
  ROIPOOL_ACLNN_X1X2Y1Y2 = 0, /* as the operator's page says */
  ROIPOOL_ACLNN_X1Y1X2Y2 = 1  /* as the forward's rows */
} roipoolAclnnRoiLayout;

/* The order of the columns of rois behind the image index, for this thread's next calls of phase 1 of the gradient. Before the
 * first call of this function the environment variable ROIPOOL_ACLNN_ROI_LAYOUT (x1x2y1y2 or x1y1x2y2) decides. Not part of the
 * public operator. */
ACL_FUNC_VISIBILITY aclnnStatus roipoolAclnnSetRoiLayout(roipoolAclnnRoiLayout layout);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H_ */
