// The functions of the CUDA driver API that the tests of the stand-in call.
#ifndef ROIPOOL_TESTS_FAKE_CUDA_DRIVER_API_H_
#define ROIPOOL_TESTS_FAKE_CUDA_DRIVER_API_H_

#include <cstddef>
#include <cstdint>

extern "C" {
int cuInit(unsigned flags);
int cuGetErrorName(int status, const char** name);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuDeviceGetUuid(unsigned char* uuid, int device);
int cuDeviceGetPCIBusId(char* id, int length, int device);
int cuCtxCreate_v2(void** context, unsigned flags, int device);
int cuCtxDestroy_v2(void* context);
int cuCtxGetFlags(unsigned* flags);
int cuCtxSetCurrent(void* context);
int cuCtxSynchronize();
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuModuleLoadData(void** module, const void* image);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuModuleUnload(void* module);
int cuMemAlloc_v2(uint64_t* address, size_t bytes);
int cuMemAllocAsync(uint64_t* address, size_t bytes, void* stream);
int cuMemFree_v2(uint64_t address);
int cuMemFreeAsync(uint64_t address, void* stream);
int cuMemAllocHost_v2(void** memory, size_t bytes);
int cuMemFreeHost(void* memory);
int cuMemHostRegister_v2(void* memory, size_t bytes, unsigned flags);
int cuMemHostUnregister(void* memory);
int cuPointerGetAttribute(void* result, int attribute, uint64_t address);
int cuPointerGetAttributes(unsigned count, int* attributes, void** results, uint64_t address);
int cuMemcpy(uint64_t dst, uint64_t src, size_t n);
int cuMemcpyAsync(uint64_t dst, uint64_t src, size_t n, void* stream);
int cuMemcpyHtoD_v2(uint64_t dst, const void* src, size_t n);
int cuMemcpyDtoH_v2(void* dst, uint64_t src, size_t n);
int cuMemcpyHtoDAsync_v2(uint64_t dst, const void* src, size_t n, void* stream);
int cuMemcpyDtoHAsync_v2(void* dst, uint64_t src, size_t n, void* stream);
int cuMemcpyDtoDAsync_v2(uint64_t dst, uint64_t src, size_t n, void* stream);
int cuMemsetD32_v2(uint64_t dst, unsigned value, size_t n);
int cuMemsetD8Async(uint64_t dst, unsigned char value, size_t n, void* stream);
int cuMemsetD32Async(uint64_t dst, unsigned value, size_t n, void* stream);
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void* stream, void** arguments, void** extra);
int cuLaunchHostFunc(void* stream, void (*function)(void*), void* argument);
int cuStreamCreate(void** stream, unsigned flags);
int cuStreamDestroy_v2(void* stream);
int cuStreamSynchronize(void* stream);
int cuStreamQuery(void* stream);
int cuStreamWaitEvent(void* stream, void* event, unsigned flags);
int cuStreamGetCtx(void* stream, void** context);
int cuEventCreate(void** event, unsigned flags);
int cuEventDestroy_v2(void* event);
int cuEventRecord(void* event, void* stream);
int cuEventSynchronize(void* event);
int cuEventQuery(void* event);
int cuEventElapsedTime(float* milliseconds, void* start, void* end);
}

#endif  // ROIPOOL_TESTS_FAKE_CUDA_DRIVER_API_H_
