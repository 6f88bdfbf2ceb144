// Both operators on owned arrays, each phase with a clock on it.
#ifndef ROIPOOL_CLI_POOLING_H_
#define ROIPOOL_CLI_POOLING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "array.h"
#include "roipool/executor.h"
#include "roipool/kernels.h"
#include "roipool/options.h"

namespace roipool::cli {

/// What is worth telling about a call.
struct CallReport {
  std::string kernel;
  int threads = 0;
  uint64_t workspace_size = 0;
  double phase1_seconds = 0;
  double phase2_seconds = 0;
};

struct PoolParameters {
  int64_t pooled_h = 0;
  int64_t pooled_w = 0;
  float spatial_scale_h = 1;
  float spatial_scale_w = 1;
};

struct Pooled {
  Array y;
  Array argmax;
  CallReport report;
};

struct Gradient {
  Array grad_input;
  CallReport report;
};

/// Max pooling. The results' memory is allocated only after phase 1 has accepted their shapes. Throws what ThrowIfError throws,
/// and UserError if there is not enough memory.
Pooled Pool(const Array& x, const Array& rois, const PoolParameters& parameters, const Options& options);

/// The gradient with respect to an input of `input_shape` (N, C, H, W). Throws as Pool does.
Gradient PoolGradient(const Array& grad_output, const Array& argmax, const Array& rois, const std::vector<int64_t>& input_shape,
                      const Options& options);

/// Phase 1 alone, of contiguous tensors: x's shape (N, C, H, W) and argmax's (R, C, PH, PW). Throws UserError.
ExecutorPtr PlanWithoutData(Operator op, DataType type, const std::vector<int64_t>& map, const std::vector<int64_t>& pooled,
                            const Options& options);

/// E.g. "phase 1 14 us, phase 2 1.21 ms".
std::string DescribeTimes(const CallReport& report);
/// E.g. "roi_pool_f32_cpu_channel_vectors_avx2, 2 threads, 320 bytes of workspace".
std::string DescribeKernel(const CallReport& report);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_POOLING_H_
