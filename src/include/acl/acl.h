/* The part of the acl API that programs of the aclnn operators need, on this computer's CPU or a GPU. C11 and C++11. */
#ifndef ROIPOOL_ACL_ACL_H_
#define ROIPOOL_ACL_ACL_H_

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once per process, before anything else. The configuration file's settings (dumps, profiling) have no meaning here: the path
 * is not opened and may be null. aclFinalize frees what is kept for a GPU, kernels among it. */
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACL_ACL_H_ */
