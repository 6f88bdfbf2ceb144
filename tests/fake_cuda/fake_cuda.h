/* What a test can ask of the stand-in for libcuda, beside the driver API. A program that must not link it finds these functions
 * with dlsym(dlopen("libcuda.so.1", RTLD_NOW), ...); where they are missing, the library is a real driver. All may be called at
 * any time, in any thread. */
#ifndef ROIPOOL_TESTS_FAKE_CUDA_FAKE_CUDA_H_
#define ROIPOOL_TESTS_FAKE_CUDA_FAKE_CUDA_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a function of the driver API, named as it is exported ("cuMemAlloc_v2"), return a status instead of doing its work: the
 * nth_from_now-th call, 1 being the next one; 0: every call. More than one call may be named. Status 0 forgets all that was
 * asked of the function. Returns 0, or 1 if there is no such function. */
int fake_cuda_fail(const char* function, int nth_from_now, int status);

/* Forgets calls, log, failures asked for, work that waits on streams, and the error of the context; then reads the environment
 * again. */
void fake_cuda_reset(void);

/* How often a function was called since the reset, failing calls included; -1 if there is no such function. */
int fake_cuda_calls(const char* function);

/* Writes the calls since the reset, one a line, as far as they fit, and a terminating zero. Returns the length of the whole
 * text. */
size_t fake_cuda_log(char* buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* ROIPOOL_TESTS_FAKE_CUDA_FAKE_CUDA_H_ */
