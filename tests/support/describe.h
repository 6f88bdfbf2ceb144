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

/// What every case has: its name, its sizes and the types that differ from those of `defaults`.
template <typename Case>
void DescribeSizes(std::ostream& text, const char* name, const Case& c, const Case& defaults) {
  text << name << "()";
  if (c.rois != defaults.rois) text << ".Rois(" << c.rois << ")";
  if (c.channels != defaults.channels) text << ".Channels(" << c.channels << ")";
  if (c.pooled_h != defaults.pooled_h || c.pooled_w != defaults.pooled_w) {
    text << ".Pooled(" << c.pooled_h << ", " << c.pooled_w << ")";
  }
  if (c.images != defaults.images) text << ".Images(" << c.images << ")";
  if (c.height != defaults.height || c.width != defaults.width) text << ".Map(" << c.height << ", " << c.width << ")";
  if (c.type != defaults.type) text << ".Type(" << TypeText(c.type) << ")";
  if (c.rois_type != defaults.rois_type) text << ".RoisType(" << TypeText(c.rois_type) << ")";
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_DESCRIBE_H_
