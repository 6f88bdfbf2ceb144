// How Halide's runtime gets at the queue of a call.
#ifndef ROIPOOL_RUNTIME_DEVICE_HOOKS_H_
#define ROIPOOL_RUNTIME_DEVICE_HOOKS_H_

namespace roipool::internal {

/// Makes Halide's runtime ask the call's context, and load the driver by the name under which drivers install it. Nothing in a
/// build without GPU kernels.
void InstallDeviceHooks() noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_DEVICE_HOOKS_H_
