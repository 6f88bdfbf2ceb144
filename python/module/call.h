// Both phases of an operator, as one object.
#ifndef ROIPOOL_PYTHON_CALL_H_
#define ROIPOOL_PYTHON_CALL_H_

#include <roipool/executor.h>
#include <roipool/options.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tensor.h"
#include "workspace.h"

namespace roipool::python {

/// Options by the names that Python programs use; ValueError for a name that none has.
struct CallOptions {
  CallOptions(int32_t threads, std::string schedule, const std::string& max_isa, const std::string& accumulation,
              const std::string& geometry, const std::string& roi_layout, const std::string& device, uintptr_t stream);

  /// Points into this object.
  Options Get() const noexcept;

 private:
  Options options_;
  std::string schedule_;
};

/// A checked call. Like every bound object it is used under the GIL, which Run and the like release while they compute.
class Call {
 public:
  static Call RoiPool(const Tensor& x, const Tensor& rois, const Tensor& y, const Tensor& argmax, float spatial_scale_h,
                      float spatial_scale_w, const CallOptions& options);
  static Call RoiPoolGrad(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, const Tensor& grad_input,
                          const CallOptions& options);

  /// Phase 2 in `workspace`, or in memory of its own.
  void Run(Workspace* workspace);
  /// Phase 2 in `size` bytes at `address`, which may be a device's.
  void RunAt(uintptr_t address, uint64_t size);
  /// See roipool::Synchronize.
  void Synchronize();

  uint64_t workspace_size() const noexcept { return workspace_size_; }
  const char* kernel() const noexcept { return KernelName(*executor_); }
  int32_t threads() const noexcept { return ThreadCount(*executor_); }

 private:
  using Phase2 = Status (*)(void*, uint64_t, Executor*) noexcept;

  Call(std::vector<Tensor> tensors, Phase2 phase_2) : tensors_(std::move(tensors)), phase_2_(phase_2) {}

  std::vector<Tensor> tensors_;  ///< Keeps their memory alive.
  Phase2 phase_2_;
  uint64_t workspace_size_ = 0;
  ExecutorPtr executor_;
};

}  // namespace roipool::python

#endif  // ROIPOOL_PYTHON_CALL_H_
