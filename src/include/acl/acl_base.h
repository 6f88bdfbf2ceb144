/* Types, codes and conversions of the acl API, with its public numeric values. C11 and C++11. */
#ifndef ROIPOOL_ACL_ACL_BASE_H_
#define ROIPOOL_ACL_ACL_BASE_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define ACL_FUNC_VISIBILITY
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int aclError;
typedef uint16_t aclFloat16;

/* Opaque handles. Null is the default stream. A handle is never used again once destroyed, so that a stale one is an error. */
typedef void* aclrtStream;
typedef void* aclrtContext;

static const int ACL_ERROR_NONE = 0;
static const int ACL_SUCCESS = 0;
static const int ACL_ERROR_INVALID_PARAM = 100000;       /* a null pointer, or sizes that contradict each other */
static const int ACL_ERROR_UNINITIALIZE = 100001;        /* aclFinalize without aclInit */
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002;   /* aclInit twice */
static const int ACL_ERROR_BAD_ALLOC = 200000;           /* out of memory */
static const int ACL_ERROR_RT_PARAM_INVALID = 107000;    /* a value out of range, or a handle or pointer that is not live */
static const int ACL_ERROR_RT_INVALID_DEVICEID = 107001; /* a device other than 0 */
static const int ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;
static const int ACL_ERROR_RT_INTERNAL_ERROR = 507000; /* the device or its driver failed */

typedef enum {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29,
  ACL_UINT1 = 30,
  ACL_COMPLEX32 = 33
} aclDataType;

typedef enum {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NC1HWC0_C04 = 12,
  ACL_FORMAT_HWCN = 16,
  ACL_FORMAT_NDHWC = 27,
  ACL_FORMAT_FRACTAL_NZ = 29,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_NDC1HWC0 = 32,
  ACL_FRACTAL_Z_3D = 33
} aclFormat;

/* Bytes of one element; 0 for types without a whole number of bytes (ACL_STRING, ACL_INT4, ACL_UINT1, ACL_DT_UNDEFINED). */
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/* Exact; a NaN stays a NaN. */
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/* Rounded to nearest, ties to even; beyond 65504 and its rounding infinity; a NaN stays a NaN. */
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

/* The full text of this thread's last error, or null if there was none since the last reading: it names the function, the
 * argument, the value and the rule. Owned by the library; valid until this thread's next error. Reading clears it. */
ACL_FUNC_VISIBILITY const char* aclGetRecentErrMsg(void);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_ACL_ACL_BASE_H_ */
