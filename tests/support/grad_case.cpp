#include "grad_case.h"

#include <sstream>

#include "describe.h"

namespace roipool::test {

std::string GradCase::Describe() const {
  const GradCase defaults;
  std::ostringstream text;
  DescribeSizes(text, "GradCase", *this, defaults);
  if (argmax_type != defaults.argmax_type) text << ".ArgmaxType(" << TypeText(argmax_type) << ")";
  DescribeStrides(text, "GradOutputStrides", grad_output_strides);
  DescribeStrides(text, "ArgmaxStrides", argmax_strides);
  DescribeStrides(text, "RoisStrides", rois_strides);
  DescribeStrides(text, "GradInputStrides", grad_input_strides);
  if (values != defaults.values) text << ".Data(Values::" << NameOf(values) << ")";
  if (image_order != defaults.image_order) text << ".Order(ImageOrder::" << NameOf(image_order) << ")";
  if (empty_share != defaults.empty_share) text << ".EmptyShare(" << empty_share << ")";
  if (fence != defaults.fence) text << ".Fenced(Fence::kBefore)";
  if (seed != defaults.seed) text << ".Seed(" << seed << ")";
  text << "; " << ReplayHint();
  return text.str();
}

GradProblem::GradProblem(const GradCase& c)
    : grad_output(c.type, {c.rois, c.channels, c.pooled_h, c.pooled_w}, c.grad_output_strides, c.fence),
      argmax(c.argmax_type, {c.rois, c.channels, c.pooled_h, c.pooled_w}, c.argmax_strides, c.fence),
      rois(c.rois_type, {c.rois, 5}, c.rois_strides, c.fence),
      grad_input(c.type, {c.images, c.channels, c.height, c.width}, c.grad_input_strides, c.fence) {
  SeededRandom random(c.seed);
  FillValues(grad_output, c.values, random);
  FillArgmax(argmax, c.height * c.width, c.empty_share, random);
  FillImages(rois, c.images, c.image_order, random);
}

RoiPoolGradArgs ArgsOf(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, Tensor& grad_input) {
  RoiPoolGradArgs args;
  args.grad_output = grad_output.view();
  args.argmax = argmax.view();
  args.rois = rois.view();
  args.grad_input = grad_input.mutable_view();
  return args;
}

RoiPoolGradArgs GradProblem::args() { return ArgsOf(grad_output, argmax, rois, grad_input); }

}  // namespace roipool::test
