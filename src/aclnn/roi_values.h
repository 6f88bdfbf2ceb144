// The rules on the values of rois that the operator's page states, checked where the address is set.
#ifndef ROIPOOL_SRC_ACLNN_ROI_VALUES_H_
#define ROIPOOL_SRC_ACLNN_ROI_VALUES_H_

#include <cstdint>

#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"
#include "roipool/tensor.h"

namespace roipool::aclnn {

/// The layout that phase 1 assumes: what roipoolAclnnSetRoiLayout said last on this thread, else ROIPOOL_ACLNN_ROI_LAYOUT, else
/// x1x2y1y2. Fails if the variable holds neither.
int CurrentRoiLayout(const char* function, roipoolAclnnRoiLayout* layout) noexcept;

/// No value is below 0 or NaN, the image index is a whole number below `images`, x1 < x2 and y1 < y2.
int CheckRoiValues(const char* function, const TensorView& rois, int64_t images, roipoolAclnnRoiLayout layout) noexcept;

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_ROI_VALUES_H_
