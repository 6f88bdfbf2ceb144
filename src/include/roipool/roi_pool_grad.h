// The gradient of RoI max pooling with respect to its input, in two phases.
#ifndef ROIPOOL_ROI_POOL_GRAD_H_
#define ROIPOOL_ROI_POOL_GRAD_H_

#include <cstdint>

#include "roipool/executor.h"
#include "roipool/export.h"
#include "roipool/options.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool {

/// grad_input[n, c, p] = sum over rois r with rois[r, 0] = n, over bins j with argmax[r, c, j] = p, of grad_output[r, c, j].
///
/// R rois, C channels, N images; PH x PW bins a roi, H x W pixels a plane.
struct RoiPoolGradArgs {
  TensorView grad_output;        ///< (R, C, PH, PW), float32, float16, bfloat16 or float64; any strides.
  TensorView argmax;             ///< (R, C, PH, PW), int32, int64 or the type of grad_output; h*W + w, or -1 for an empty bin.
  TensorView rois;               ///< (R, 5), any float type; column 0 is the image index, the others are not read.
  MutableTensorView grad_input;  ///< (N, C, H, W), the type of grad_output; overwritten, never added to.
};

/// Phase 1: checks everything but the tensors' contents, chooses a kernel, and says how much workspace phase 2 needs.
///
/// Reads no tensor data; data pointers may still be null if SetRoiPoolGradData follows. On a CPU a few bytes of workspace per
/// roi and image are needed; for 16-bit gradients float32 sums of one block of channels per thread, at most two copies of
/// grad_input per thread; in fixed point 64-bit sums for every type, at most four copies per thread; and a copy of a tensor
/// only where argmax is not int32 or a tensor's innermost two dimensions are not dense. On a GPU: sums of all planes, unless
/// grad_input can hold them; in fixed point 64-bit sums and floating-point sums, for float32 three times grad_input; and an
/// int32 copy of another argmax; none for OpenCL with host memory, where phase 2 allocates on the device.
///
/// @param workspace_size  bytes that phase 2 needs, a multiple of kWorkspaceAlignment; 0 if none, and on failure.
/// @param executor        owned by the caller; set to null on failure. One already held is destroyed.
/// @return kNullArgument, kInvalidArgument, kUnsupported, kSizeOverflow, kOverlap or kOutOfMemory, with the
///         argument's name, its value and the rule in the message.
///
/// Thread-safe. Empty problems succeed: R = 0 zeroes grad_input in phase 2; C = 0 or N = 0 does nothing.
ROIPOOL_EXPORT Status RoiPoolGradGetWorkspaceSize(const RoiPoolGradArgs& args, const Options& options, uint64_t* workspace_size,
                                                  ExecutorPtr* executor) noexcept;

/// Phase 2: computes the gradient. It is there when the call returns; for CUDA, and OpenCL's memory objects, once their stream
/// has come so far: see Synchronize().
///
/// On a CPU each (n, c) plane is summed in ascending roi, then bin order, in float32 (float64 for float64) from +0, and rounded
/// once: the bits are the same for every thread count, ISA and schedule. A GPU adds in any order, with fixed point in every bit
/// as a CPU does: see Accumulation. A pixel that no bin chose is +0. An entry with argmax -1 is skipped, whatever its gradient;
/// other NaN and Inf add as IEEE 754 says, and a NaN result is the type's quiet NaN with a clear sign (on a GPU in floats, the
/// device's).
///
/// Whatever the tensors hold, and even if they change meanwhile, nothing outside the given buffers is read or written.
/// kOutOfRange names the first offender. On a CPU an image index outside [0, N), fractional or NaN leaves grad_input untouched,
/// and an argmax outside [-1, H*W) leaves its contents unspecified (int32 argmax is checked row by row within the kernel); on a
/// GPU either leaves them unspecified, and with device memory Synchronize() tells.
///
/// @param workspace       at least the bytes of phase 1, aligned to kWorkspaceAlignment, apart from every tensor; not
///                        kept beyond the call's work. Null if none is needed.
/// @param executor        from RoiPoolGradGetWorkspaceSize; see executor.h for its states.
/// @return kNullArgument, kInvalidState, kInvalidWorkspace, kInvalidArgument (alignment), kOverlap, kOutOfRange,
///         kOutOfMemory or kInternal; on a GPU kUnsupported without driver or device, and kDeviceError.
///
/// Thread-safe for different executors with different workspaces and grad_input.
ROIPOOL_EXPORT Status RoiPoolGrad(void* workspace, uint64_t workspace_size, Executor* executor) noexcept;

/// Gives an executor other buffers of the same types, shapes and strides, for the next RoiPoolGrad. Checks pointers, alignment
/// and overlap; on an error the executor keeps the buffers it had.
ROIPOOL_EXPORT Status SetRoiPoolGradData(Executor* executor, const void* grad_output, const void* argmax, const void* rois,
                                         void* grad_input) noexcept;

}  // namespace roipool

#endif  // ROIPOOL_ROI_POOL_GRAD_H_
