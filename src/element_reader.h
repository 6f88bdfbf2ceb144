// Single elements of a tensor as numbers, whatever their type.
#ifndef ROIPOOL_SRC_ELEMENT_READER_H_
#define ROIPOOL_SRC_ELEMENT_READER_H_

#include <cstdint>
#include <cstring>

#include "float_bits.h"
#include "roipool/tensor.h"

namespace roipool::internal {

template <typename T>
T LoadAs(const void* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(value));
  return value;
}

/// Exact for every type but int64, whose values beyond 2^53 are rounded.
inline double LoadNumber(const void* address, DataType type) noexcept {
  switch (type) {
    case DataType::kFloat32:
      return static_cast<double>(LoadAs<float>(address));
    case DataType::kFloat16:
      return static_cast<double>(Float16ToFloat(LoadAs<uint16_t>(address)));
    case DataType::kBFloat16:
      return static_cast<double>(BFloat16ToFloat(LoadAs<uint16_t>(address)));
    case DataType::kFloat64:
      return LoadAs<double>(address);
    case DataType::kInt32:
      return static_cast<double>(LoadAs<int32_t>(address));
    case DataType::kInt64:
      return static_cast<double>(LoadAs<int64_t>(address));
  }
  return 0;
}

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_ELEMENT_READER_H_
