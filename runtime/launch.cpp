#include "launch.h"

#include "call_context.h"
#include "halide_view.h"
#include "make_status.h"

namespace roipool::internal {
namespace {

Status StatusOf(const char* function, const Kernel& kernel, int halide_error, const CallContext& context) noexcept {
  if (halide_error == halide_error_code_success) return {};
  if (halide_error == halide_error_code_out_of_memory) {
    return MakeStatus(StatusCode::kOutOfMemory,
                      "%s: the kernel %s could not allocate its planes; fewer threads need fewer planes", function,
                      kernel.name);
  }
  return MakeStatus(StatusCode::kInternal, "%s: the kernel %s failed with Halide's code %d: %s", function, kernel.name,
                    halide_error, context.error());
}

HalideView View4(const Tensor4& tensor, DataType type) noexcept {
  return HalideView(tensor.data, type,
                    {{tensor.shape[3], tensor.strides[3]},
                     {tensor.shape[2], tensor.strides[2]},
                     {tensor.shape[1], tensor.strides[1]},
                     {tensor.shape[0], tensor.strides[0]}});
}

}  // namespace

Status LaunchRoiPoolGrad(const char* function, const Kernel& kernel, int32_t threads, const RoiPoolGradLaunch& launch,
                         bool* found_bad_argmax) noexcept {
  CallContext context(threads);
  HalideView grad_output(
      launch.grad_output, kernel.type,
      {{launch.bins, 1}, {launch.channels, launch.grad_output_channel_stride}, {launch.rois, launch.grad_output_roi_stride}});
  HalideView argmax(
      launch.argmax, DataType::kInt32,
      {{launch.bins, 1}, {launch.channels, launch.argmax_channel_stride}, {launch.rois, launch.argmax_roi_stride}});
  HalideView order(launch.order, DataType::kInt32, {{launch.rois, 1}});
  HalideView begin(launch.begin, DataType::kInt32, {{launch.images + 1, 1}});
  HalideView grad_input(launch.grad_input, kernel.type,
                        {{launch.pixels, 1},
                         {launch.channels, launch.grad_input_channel_stride},
                         {launch.images, launch.grad_input_image_stride}});
  const int error = kernel.roi_pool_grad(&context, grad_output.buffer(), argmax.buffer(), order.buffer(), begin.buffer(),
                                         grad_input.buffer());
  *found_bad_argmax = error == halide_error_code_requirement_failed;
  return *found_bad_argmax ? Status() : StatusOf(function, kernel, error, context);
}

Status LaunchRoiPool(const char* function, const Kernel& kernel, int32_t threads, const RoiPoolLaunch& launch) noexcept {
  CallContext context(threads);
  const int64_t rois = launch.y.shape[0];
  HalideView x = View4(launch.x, kernel.type);
  HalideView boxes(launch.boxes, DataType::kFloat32, {{4, 1}, {rois, 4}});
  HalideView images(launch.images, DataType::kInt32, {{rois, 1}});
  HalideView y = View4(launch.y, kernel.type);
  HalideView argmax = View4(launch.argmax, DataType::kInt32);
  const int error = kernel.roi_pool(&context, x.buffer(), boxes.buffer(), images.buffer(), launch.spatial_scale_h,
                                    launch.spatial_scale_w, launch.rounds_corners, static_cast<int32_t>(launch.y.shape[2]),
                                    static_cast<int32_t>(launch.y.shape[3]), y.buffer(), argmax.buffer());
  return StatusOf(function, kernel, error, context);
}

}  // namespace roipool::internal
