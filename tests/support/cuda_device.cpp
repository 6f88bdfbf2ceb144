#include "cuda_device.h"

#include <gtest/gtest.h>

#include "cuda_call.h"
#include "element.h"

namespace roipool::test {
namespace {

void Expect(const char* name, int error) { EXPECT_EQ(error, 0) << name; }

}  // namespace

std::string WhyNoCuda() {
  int count = 0, device = 0;
  void* context = nullptr;
  if (CallCuda("cuInit", 0u) != 0 || CallCuda("cuDeviceGetCount", &count) != 0) return "there is no CUDA driver";
  if (count == 0) return "there is no CUDA device";
  if (CallCuda("cuDeviceGet", &device, 0) != 0 || CallCuda("cuDevicePrimaryCtxRetain", &context, device) != 0)
    return "the CUDA device has no context";
  return CallCuda("cuCtxSetCurrent", context) == 0 ? "" : "the CUDA device's context cannot be used";
}

CudaMemory::CudaMemory(uint64_t size) : size_(size) {
  if (size > 0) Expect("cuMemAlloc_v2", CallCuda("cuMemAlloc_v2", &address_, size_t{size}));
}

CudaMemory::~CudaMemory() {
  if (address_ != 0) Expect("cuMemFree_v2", CallCuda("cuMemFree_v2", address_));
}

void CudaMemory::CopyFrom(const void* host) const {
  if (size_ > 0) Expect("cuMemcpyHtoD_v2", CallCuda("cuMemcpyHtoD_v2", address_, host, size_t{size_}));
}

void CudaMemory::CopyTo(void* host) const {
  if (size_ > 0) Expect("cuMemcpyDtoH_v2", CallCuda("cuMemcpyDtoH_v2", host, address_, size_t{size_}));
}

CudaTensor::CudaTensor(const TensorView& host) {
  int64_t lowest = 0, highest = 0;
  bool is_empty = false;
  for (int32_t d = 0; d < host.rank; ++d) {
    is_empty |= host.shape[d] == 0;
    const int64_t reach = host.shape[d] > 1 ? (host.shape[d] - 1) * host.strides[d] : 0;
    (reach < 0 ? lowest : highest) += reach;
  }
  const int64_t size = SizeOf(host.type);
  first_ = -lowest * size;
  begin_ = static_cast<char*>(const_cast<void*>(host.data)) - first_;
  memory_ = std::make_unique<CudaMemory>(is_empty ? 0 : static_cast<uint64_t>((highest - lowest + 1) * size));
  memory_->CopyFrom(begin_);
}

void* CudaTensor::data() const {
  return memory_->address() == nullptr ? nullptr : static_cast<char*>(memory_->address()) + first_;
}

void CudaTensor::CopyAgain() const { memory_->CopyFrom(begin_); }

void CudaTensor::CopyBack() const { memory_->CopyTo(begin_); }

}  // namespace roipool::test
