// What the library keeps for a GPU between calls.
#ifndef ROIPOOL_DEVICE_H_
#define ROIPOOL_DEVICE_H_

#include "roipool/export.h"
#include "roipool/options.h"
#include "roipool/status.h"

namespace roipool {

/// Frees what the library keeps for a context: its kernels, and for CUDA some kilobytes of device memory. Call it before the
/// context is destroyed, as another may get its address. The next call in the context makes everything anew.
///
/// Waits for the context's work. No call may run in the context meanwhile.
///
/// @param device          kCuda or kOpenCl; nothing is kept for kCpu.
/// @param device_context  as Options::device_context. Null: the CUDA context that is current in this thread; for OpenCL the
///                        library's own, which it keeps.
/// @return kInvalidState if a run in the context has not been synchronized or no CUDA context is current, kInvalidArgument,
///         kUnsupported without the device, its driver, or kernels for it in this build, kDeviceError.
///
/// Thread-safe.
ROIPOOL_EXPORT Status ReleaseDevice(Device device, void* device_context) noexcept;

}  // namespace roipool

#endif  // ROIPOOL_DEVICE_H_
