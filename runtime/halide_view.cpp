#include "halide_view.h"

namespace roipool::internal {

halide_type_t HalideType(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat32:
      return {halide_type_float, 32};
    case DataType::kFloat16:
      return {halide_type_float, 16};
    case DataType::kBFloat16:
      return {halide_type_bfloat, 16};
    case DataType::kFloat64:
      return {halide_type_float, 64};
    case DataType::kInt32:
      return {halide_type_int, 32};
    case DataType::kInt64:
      return {halide_type_int, 64};
  }
  return {};
}

HalideView::HalideView(const void* host, DataType type, std::initializer_list<HalideDimension> dimensions,
                       int64_t offset) noexcept {
  size_t d = 0;
  for (const HalideDimension& dimension : dimensions) {
    dimensions_[d++] = halide_dimension_t(static_cast<int32_t>(dimension.min), static_cast<int32_t>(dimension.extent),
                                          static_cast<int32_t>(dimension.stride));
  }
  // Pipelines write through this pointer only where the buffer is their output.
  buffer_.type = HalideType(type);
  buffer_.host = static_cast<uint8_t*>(const_cast<void*>(host)) + offset * buffer_.type.bytes();
  buffer_.dimensions = static_cast<int32_t>(dimensions.size());
  buffer_.dim = dimensions_.data();
}

}  // namespace roipool::internal
