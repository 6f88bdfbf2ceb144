#include "grad_case.h"

#include <sstream>

#include "describe.h"

namespace roipool::test {

std::string GradCase::Describe() const {
  const GradCase defaults;
  std::ostringstream text;
  text << "GradCase()";
  if (rois != defaults.rois) text << ".Rois(" << rois << ")";
  if (channels != defaults.channels) text << ".Channels(" << channels << ")";
  if (pooled_h != defaults.pooled_h || pooled_w != defaults.pooled_w) text << ".Pooled(" << pooled_h << ", " << pooled_w << ")";
  if (images != defaults.images) text << ".Images(" << images << ")";
  if (height != defaults.height || width != defaults.width) text << ".Map(" << height << ", " << width << ")";
  if (type != defaults.type) text << ".Type(" << TypeText(type) << ")";
  if (argmax_type != defaults.argmax_type) text << ".ArgmaxType(" << TypeText(argmax_type) << ")";
  if (rois_type != defaults.rois_type) text << ".RoisType(" << TypeText(rois_type) << ")";
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

RoiPoolGradArgs GradProblem::args() {
  RoiPoolGradArgs args;
  args.grad_output = grad_output.view();
  args.argmax = argmax.view();
  args.rois = rois.view();
  args.grad_input = grad_input.mutable_view();
  return args;
}

}  // namespace roipool::test
