// The handles that operators are given beside tensors.
#ifndef ROIPOOL_SRC_ACLNN_RUNTIME_H_
#define ROIPOOL_SRC_ACLNN_RUNTIME_H_

#include "acl/acl_rt.h"

namespace roipool::aclnn {

/// The device's own stream behind a handle, null for the default one. False if the handle is not live.
bool FindStream(aclrtStream stream, void** device_stream);

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_RUNTIME_H_
