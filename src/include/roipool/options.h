// How an operator runs. The defaults suit everyone; but for the accumulation and the device, nothing here changes a gradient's
// bits; but for the geometry and the roi layout, nothing changes those of the forward.
#ifndef ROIPOOL_OPTIONS_H_
#define ROIPOOL_OPTIONS_H_

#include <cstdint>

namespace roipool {

class Tuning;

/// Instruction sets that kernels are compiled for, in ascending order.
enum class Isa : int32_t {
  kBaseline = 0,  ///< What every CPU of the architecture has (x86-64: SSE2).
  kAvx2 = 1,      ///< AVX2, FMA and F16C.
  kAvx512 = 2,    ///< AVX-512 F, CD, BW, DQ and VL besides.
};

/// How RoiPool turns a box (x1, y1, x2, y2) into bins. The gradient does not depend on it.
enum class Geometry : int32_t {
  /// X1 = x1*sw, X2 = (x2+1)*sw, not rounded; bin j covers [floor(X1 + j*w), ceil(X1 + (j+1)*w)), w = (X2-X1)/pooled_w, clipped
  /// to the map. Boxes of no width or height have only empty bins. Source: the public page of the aclnn operator.
  kAclnn = 0,
  /// Corners are scaled and rounded half away from zero, width = max(X2-X1+1, 1), then as above. Equal to
  /// torchvision.ops.roi_pool with float32 boxes. Source: Girshick, "Fast R-CNN", 2015, section 2.1, and torchvision.
  kTorchvision = 1,
};

/// The order of the columns of `rois` after the image index, read by RoiPool. The gradient reads column 0 alone.
enum class RoiLayout : int32_t {
  kX1Y1X2Y2 = 0,
  kX1X2Y1Y2 = 1,
};

/// Where an operator runs.
enum class Device : int32_t {
  kCpu = 0,
  kCuda = 1,    ///< An NVIDIA GPU. Tensors and workspace are device memory; see Options::device_context.
  kOpenCl = 2,  ///< Tensors are host memory, or with Options::device_context memory objects.
};

/// How a gradient is added up.
enum class Accumulation : int32_t {
  /// In float32, float64 for float64. A CPU adds in one order (see RoiPoolGrad), with the same bits in every run; a GPU in any
  /// order, so that the last bits vary from run to run.
  kFloat = 0,
  /// In 64-bit integers: the same bits in every run on every device. Each gradient is taken as a multiple of 2^-s; s is 24 for
  /// float16, with which its sums are exact as long as a plane has at most 2^22 bins (then rounded once); for the other types
  /// s follows from the largest magnitude of the call, such that no sum can overflow: 62 bits less those that the number of
  /// bins takes. If any gradient that counts is not finite, the whole call is added as with kFloat.
  kFixedPoint = 1,
};

struct Options {
  /// Kernels that need more than this are refused. The environment variable ROIPOOL_MAX_ISA (baseline, avx2, avx512) lowers it
  /// further, never raises it.
  Isa max_isa = Isa::kAvx512;
  /// How many threads the call may use; 0: one per CPU that this process may run on. At most kMaxThreads.
  int32_t threads = 0;
  /// A schedule's name (see KernelCount and ExplainKernel), e.g. "reference"; null: the one that the environment variable
  /// ROIPOOL_SCHEDULE names, if there is one for this operator, device and accumulation, else the best one. Read in phase 1
  /// only.
  const char* schedule = nullptr;
  /// Tuned values that come before the library's own (see tuning.h); null: those of the file that the environment variable
  /// ROIPOOL_TUNING names, if it is set. Read in phase 1 only.
  const Tuning* tuning = nullptr;
  /// Whether the executor may run more than once. See executor.h.
  bool repeatable = false;
  Accumulation accumulation = Accumulation::kFloat;  ///< RoiPoolGrad only.
  /// kUnsupported without the device, its driver, or kernels for it in this build.
  Device device = Device::kCpu;
  /// kCuda: the CUcontext; null: the one that is current in the thread of phase 2. kOpenCl: the cl_context that all tensors and
  /// the workspace belong to, which are cl_mem then; null: tensors are host memory, and phase 2 copies them to and from a
  /// device of its own choice.
  void* device_context = nullptr;
  /// kCuda: the CUstream that phase 2 puts its work on, null for the default one. kOpenCl: an in-order cl_command_queue, if
  /// device_context is set.
  void* device_stream = nullptr;
  Geometry geometry = Geometry::kTorchvision;   ///< RoiPool only.
  RoiLayout roi_layout = RoiLayout::kX1Y1X2Y2;  ///< RoiPool only.
};

constexpr int32_t kMaxThreads = 256;

}  // namespace roipool

#endif  // ROIPOOL_OPTIONS_H_
