/* Codes of the aclnn operators. C11 and C++11. */
#ifndef ROIPOOL_ACLNN_ACLNN_BASE_H_
#define ROIPOOL_ACLNN_ACLNN_BASE_H_

#include "acl/acl_rt.h"
#include "acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACLNN_SUCCESS 0
#define ACLNN_ERR_PARAM_NULLPTR 161001         /* a tensor, workspaceSize, executor or needed workspace is null */
#define ACLNN_ERR_PARAM_INVALID 161002         /* an argument or a tensor's value breaks a rule */
#define ACLNN_ERR_RUNTIME_ERROR 361001         /* the device failed: out of memory, a stream that is not live */
#define ACLNN_ERR_INNER 561000                 /* a fault inside the library */
#define ACLNN_ERR_INNER_CREATE_EXECUTOR 561101 /* no memory for an executor */
#define ACLNN_ERR_INNER_NULLPTR 561103         /* a null handle given to a function of acl_meta.h that works on executors */

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACLNN_ACLNN_BASE_H_ */
