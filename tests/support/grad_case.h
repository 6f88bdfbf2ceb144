// One gradient to compute: built fluently from defaults, printed as the line that builds it again.
#ifndef ROIPOOL_TESTS_SUPPORT_GRAD_CASE_H_
#define ROIPOOL_TESTS_SUPPORT_GRAD_CASE_H_

#include <string>

#include "fill.h"
#include "roipool/roi_pool_grad.h"
#include "tensor.h"

namespace roipool::test {

struct GradCase {
  int64_t rois = 6, channels = 5, pooled_h = 3, pooled_w = 3, images = 2, height = 5, width = 7;
  DataType type = DataType::kFloat32, argmax_type = DataType::kInt32, rois_type = DataType::kFloat32;
  Strides grad_output_strides = Strides::kContiguous, argmax_strides = Strides::kContiguous;
  Strides rois_strides = Strides::kContiguous, grad_input_strides = Strides::kContiguous;
  Values values = Values::kReal;
  ImageOrder image_order = ImageOrder::kRandom;
  double empty_share = 0.1;
  Fence fence = Fence::kBehind;
  uint64_t seed = 1;

  // clang-format off
  GradCase& Rois(int64_t count) { rois = count; return *this; }
  GradCase& Channels(int64_t count) { channels = count; return *this; }
  GradCase& Pooled(int64_t h, int64_t w) { pooled_h = h; pooled_w = w; return *this; }
  GradCase& Images(int64_t count) { images = count; return *this; }
  GradCase& Map(int64_t h, int64_t w) { height = h; width = w; return *this; }
  GradCase& Type(DataType t) { type = t; return *this; }
  GradCase& ArgmaxType(DataType t) { argmax_type = t; return *this; }
  GradCase& RoisType(DataType t) { rois_type = t; return *this; }
  GradCase& GradOutputStrides(Strides s) { grad_output_strides = s; return *this; }
  GradCase& ArgmaxStrides(Strides s) { argmax_strides = s; return *this; }
  GradCase& RoisStrides(Strides s) { rois_strides = s; return *this; }
  GradCase& GradInputStrides(Strides s) { grad_input_strides = s; return *this; }
  GradCase& Data(Values v) { values = v; return *this; }
  GradCase& Order(ImageOrder o) { image_order = o; return *this; }
  GradCase& EmptyShare(double share) { empty_share = share; return *this; }
  GradCase& Fenced(Fence f) { fence = f; return *this; }
  GradCase& Seed(uint64_t s) { seed = s; return *this; }
  // clang-format on

  /// E.g. "GradCase().Rois(33).Channels(1).Map(1, 17)": what differs from the defaults, and how to replay the seed.
  std::string Describe() const;
};

/// The arguments of phase 1 for these tensors.
RoiPoolGradArgs ArgsOf(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, Tensor& grad_input);

/// The case's tensors, filled; grad_input is poisoned.
struct GradProblem {
  explicit GradProblem(const GradCase& c);

  Tensor grad_output, argmax, rois, grad_input;

  RoiPoolGradArgs args();
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_GRAD_CASE_H_
