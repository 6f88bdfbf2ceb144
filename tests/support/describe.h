// Parts of the line that builds a case again.
#ifndef ROIPOOL_TESTS_SUPPORT_DESCRIBE_H_
#define ROIPOOL_TESTS_SUPPORT_DESCRIBE_H_

#include <ostream>

#include "roipool/tensor.h"
#include "tensor.h"

namespace roipool::test {

inline const char* TypeText(DataType type) {
  constexpr const char* kNames[] = {"DataType::kFloat32", "DataType::kFloat16", "DataType::kBFloat16",
                                    "DataType::kFloat64", "DataType::kInt32",   "DataType::kInt64"};
  return kNames[static_cast<int>(type)];
}

inline void DescribeStrides(std::ostream& text, const char* setter, Strides strides) {
  if (strides != Strides::kContiguous) text << "." << setter << "(Strides::" << NameOf(strides) << ")";
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_DESCRIBE_H_
