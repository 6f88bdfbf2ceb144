/* RoI max pooling as an aclnn operator. C11 and C++11. */
#ifndef ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_
#define ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phase 1; its rules are those of aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize.
 *
 * x: (N, C, H, W), FLOAT or FLOAT16. rois: (R, 5), FLOAT or FLOAT16, rows (image, x1, y1, x2, y2). y: (R, C, pooled_h,
 * pooled_w), the type of x. argmax: the shape of y, INT32: h*W + w of the first largest value, or -1 for an empty bin. Corners
 * are scaled, not rounded (Geometry::kAclnn in roipool/options.h). spatial_scale_h, spatial_scale_w: finite and above 0. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRoiPoolingWithArgMaxGetWorkspaceSize(const aclTensor* x, const aclTensor* rois,
                                                                          int64_t pooled_h, int64_t pooled_w,
                                                                          float spatial_scale_h, float spatial_scale_w,
                                                                          aclTensor* y, aclTensor* argmax,
                                                                          uint64_t* workspaceSize, aclOpExecutor** executor);

/* Phase 2; its rules are those of aclnnRoiPoolingGradWithArgMax. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRoiPoolingWithArgMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H_ */
