// The handles that operators are given beside tensors.
#ifndef ROIPOOL_SRC_ACLNN_RUNTIME_H_
#define ROIPOOL_SRC_ACLNN_RUNTIME_H_

#include "acl/acl_rt.h"

namespace roipool::aclnn {

/// Whether a stream is the default one (null) or live.
bool IsLiveStream(aclrtStream stream);

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_RUNTIME_H_
