#include "device_view.h"

#include "HalideRuntimeCuda.h"
#include "HalideRuntimeOpenCL.h"

namespace roipool::internal {

#if ROIPOOL_GPU
DeviceView::DeviceView(CallContext& context, Device device, const DeviceMemory& memory, halide_type_t type,
                       std::initializer_list<HalideDimension> dimensions) noexcept
    : context_(context), device_(device) {
  if (device == Device::kCuda) {
    buffer_.device = memory.handle + static_cast<uint64_t>(memory.offset);
    buffer_.device_interface = halide_cuda_device_interface();
  } else {
    // A crop of a buffer of 8-byte words is how Halide addresses a part of a memory object.
    const auto word = static_cast<int32_t>(memory.offset / 8);
    whole_.type = {halide_type_uint, 64};
    whole_.dimensions = 1;
    whole_.dim = &whole_dimension_;
    whole_dimension_ = halide_dimension_t(0, word + 1, 1);
    halide_opencl_wrap_cl_mem(&context_, &whole_, memory.handle);
    halide_dimension_t cropped(word, 1, 1);
    buffer_.type = whole_.type;
    buffer_.dimensions = 1;
    buffer_.dim = &cropped;
    halide_device_crop(&context_, &whole_, &buffer_);
  }
  size_t d = 0;
  for (const HalideDimension& dimension : dimensions) {
    dimensions_[d++] = halide_dimension_t(static_cast<int32_t>(dimension.min), static_cast<int32_t>(dimension.extent),
                                          static_cast<int32_t>(dimension.stride));
  }
  buffer_.type = type;
  buffer_.dimensions = static_cast<int32_t>(dimensions.size());
  buffer_.dim = dimensions_.data();
}

DeviceView::~DeviceView() {
  if (device_ != Device::kOpenCl) return;
  halide_device_release_crop(&context_, &buffer_);
  halide_opencl_detach_cl_mem(&context_, &whole_);
}
#else
DeviceView::DeviceView(CallContext& context, Device device, const DeviceMemory&, halide_type_t,
                       std::initializer_list<HalideDimension>) noexcept
    : context_(context), device_(device) {}

DeviceView::~DeviceView() = default;
#endif

}  // namespace roipool::internal
