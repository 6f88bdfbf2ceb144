// Device memory for tests, straight from the driver that is installed, or stands in for it.
#ifndef ROIPOOL_TESTS_SUPPORT_CUDA_DEVICE_H_
#define ROIPOOL_TESTS_SUPPORT_CUDA_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "roipool/tensor.h"
#include "tensors_of.h"

namespace roipool::test {

/// Empty if there is a driver with a device, else what is missing. Makes the device's context current in this thread.
std::string WhyNoCuda();

/// Freed at the end. A failing call of the driver is a test failure.
class CudaMemory {
 public:
  explicit CudaMemory(uint64_t size);
  ~CudaMemory();
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  void* address() const { return reinterpret_cast<void*>(address_); }
  void CopyFrom(const void* host) const;
  void CopyTo(void* host) const;

 private:
  uint64_t address_ = 0;
  uint64_t size_;
};

/// What the elements of a host tensor span, gaps included, in device memory of just that size.
class CudaTensor {
 public:
  explicit CudaTensor(const TensorView& host);

  /// Of element (0, 0, ...).
  void* data() const;
  /// Copies what the host's tensor holds now, gaps included.
  void CopyAgain() const;
  /// Copies everything back, gaps included.
  void CopyBack() const;

 private:
  char* begin_ = nullptr;  ///< Of the host's bytes.
  int64_t first_ = 0;      ///< How many bytes lie before element (0, 0, ...).
  std::unique_ptr<CudaMemory> memory_;
};

/// An operator's four tensors.
template <typename Args>
class CudaTensors {
 public:
  explicit CudaTensors(const Args& host) : host_(host) {
    ForEachTensor(host_, [this](const auto& view) {
      tensors_.emplace_back(view);
      are_outputs_.push_back(IsOutput(view));
    });
  }

  /// The host's arguments, with the device's data.
  Args args() const {
    Args args = host_;
    auto tensor = tensors_.begin();
    ForEachTensor(args, [&](auto& view) { view.data = (tensor++)->data(); });
    return args;
  }
  void CopyAgain() const {
    for (const CudaTensor& tensor : tensors_) tensor.CopyAgain();
  }
  void CopyBack() const {
    for (const CudaTensor& tensor : tensors_) tensor.CopyBack();
  }
  /// Outputs alone.
  void CopyResultsBack() const {
    for (size_t t = 0; t < tensors_.size(); ++t) {
      if (are_outputs_[t]) tensors_[t].CopyBack();
    }
  }

 private:
  Args host_;
  std::vector<CudaTensor> tensors_;
  std::vector<bool> are_outputs_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_CUDA_DEVICE_H_
