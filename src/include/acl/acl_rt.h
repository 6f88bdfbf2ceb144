/* Devices, contexts, streams and memory of the acl API. C11 and C++11.
 *
 * There is one device, number 0, for the whole life of the process:
 *
 * - this computer's CPU, unless the environment says otherwise: device memory is host memory, and everything a stream is given
 *   is complete when the call that gave it returns;
 * - the first NVIDIA GPU, if the environment variable ROIPOOL_DEVICE is "cuda": device memory is the GPU's, which the host
 *   cannot follow, and a stream does what it is given later, in the order given. Without a driver or a GPU every function that
 *   needs the device returns ACL_ERROR_RT_INVALID_DEVICEID.
 *
 * All functions are thread-safe; each returns ACL_SUCCESS or a code of acl_base.h, with the text in aclGetRecentErrMsg(). */
#ifndef ROIPOOL_ACL_ACL_RT_H_
#define ROIPOOL_ACL_ACL_RT_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A hint, as a device has but one kind of memory; members may be or-ed. */
typedef enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY,
  ACL_MEM_MALLOC_HUGE_FIRST_P2P,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
  ACL_MEM_MALLOC_HUGE1G_ONLY,
  ACL_MEM_MALLOC_HUGE1G_ONLY_P2P,
  ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
  ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
  ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;

/* On the CPU all kinds copy alike. On a GPU the kind must say which side is device memory; ACL_MEMCPY_DEFAULT finds it out. */
typedef enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE,
  ACL_MEMCPY_DEFAULT,
  ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
  ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
  ACL_MEMCPY_INTER_DEVICE_TO_DEVICE
} aclrtMemcpyKind;

/* deviceId must be 0. The device is set per thread. Resetting it frees nothing: streams, contexts and memory stay until they
 * are destroyed. */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t* deviceId);
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t* count);

/* The caller owns a context until aclrtDestroyContext. A new context becomes the thread's current one. */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext* context);

/* The caller owns a stream until aclrtDestroyStream.
 *
 * On a GPU what an operator finds wrong with its tensors' contents is known when its work is done. aclrtSynchronizeStream waits
 * for what the stream was given, aclrtDestroyStream too before it destroys; each returns the first such error of that stream,
 * once. aclrtSynchronizeDevice waits for all streams and returns the oldest error among them; the others stay with their
 * streams. No other function takes an error away, whatever it waits for. If aclrtDestroyStream cannot reach the device, the
 * handle and the error stay. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream* stream);
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/* `size` bytes aligned to 64; 0 bytes are an error. aclrtMalloc's are freed by aclrtFree, aclrtMallocHost's by aclrtFreeHost;
 * freeing anything else, or twice, is an error. On a GPU aclrtMallocHost's are pinned, which lets copies run beside the host,
 * and freeing waits for all streams. */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
ACL_FUNC_VISIBILITY aclError aclrtFree(void* devPtr);
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void** hostPtr, size_t size);
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void* hostPtr);

/* count may not exceed destMax, nor reach past the end of memory from aclrtMalloc or aclrtMallocHost.
 *
 * On a GPU aclrtMemset and aclrtMemcpy come after everything that any stream was given before, and aclrtMemcpyAsync after what
 * `stream` was given: src and dst must stay until that stream is waited for. If both are host memory, aclrtMemcpy copies at
 * once, and aclrtMemcpyAsync waits for the stream and then copies. */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count);
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACL_ACL_RT_H_ */
