// Binds the GPU's gradient to buffers and to one schedule. Included once for each schedule, as roi_pool_grad_generator.h is.
#include "Halide.h"
#include "roi_pool_grad_algorithm.h"
#include "roi_pool_grad_gpu_algorithm.h"

namespace roipool::generators::ROIPOOL_SCHEDULE {

class RoiPoolGradGpu : public Halide::Generator<RoiPoolGradGpu> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> print_loop_nest{"print_loop_nest", false};  // To stderr, for scripts/inspect.
  ROIPOOL_KNOBS(ROIPOOL_KNOB_PARAM)

  Input<Buffer<void, 4>> grad_output{"grad_output"};  // (pw, ph, channel, roi)
  Input<Buffer<int32_t, 4>> argmax{"argmax"};         // (pw, ph, channel, roi)
  Input<Buffer<int32_t, 1>> images{"images"};         // (roi)
  Input<Buffer<uint64_t, 1>> state{"state"};          // (0)
  Input<int32_t> addends_log2{"addends_log2"};
  Input<int32_t> tile_w{"tile_w"}, tile_h{"tile_h"}, tile_channels{"tile_channels"};  // Threads of a block.
  Output<Buffer<void, 3>> sum{"sum"};                                                 // (pixel, channel, image); pixels dense
  Output<Buffer<>>* float_sum = nullptr;  // (pixel, channel, image); pixels dense; in fixed point alone.
  Output<Buffer<>>* found_bad = nullptr;  // (channel), all of them one number; in floats alone.

  void configure() {
    grad_output.set_type(GpuType(type));
    sum.set_type(SumType(type, form_.is_fixed_point));
    if (form_.is_fixed_point) {
      float_sum = add_output<Buffer<>>("float_sum", SumType(type, false), 3);
    } else {
      found_bad = add_output<Buffer<>>("found_bad", Halide::UInt(64), 1);
    }
  }

  void generate() {
    const GpuGradInputs inputs = {.grad_output = grad_output,
                                  .argmax = argmax,
                                  .images = images,
                                  .state = state,
                                  .pooled_w = grad_output.dim(0).extent(),
                                  .pooled_h = grad_output.dim(1).extent(),
                                  .channels = grad_output.dim(2).extent(),
                                  .rois = grad_output.dim(3).extent(),
                                  .pixels = sum.dim(0).extent(),
                                  .image_count = sum.dim(2).extent(),
                                  .addends_log2 = addends_log2};
    const auto func = [](const Output<Buffer<>>* output) { return output == nullptr ? Halide::Func() : Halide::Func(*output); };
    stages_ = DefineRoiPoolGradGpu(inputs, sum, func(float_sum), func(found_bad), type, form_);
    stages_.tile = {tile_w, tile_h, tile_channels};
    for (int d = 0; d < 4; ++d) {
      grad_output.dim(d).set_min(0);
      argmax.dim(d).set_bounds(0, grad_output.dim(d).extent());
    }
    // Any strides.
    grad_output.dim(0).set_stride(Halide::Expr());
    argmax.dim(0).set_stride(Halide::Expr());
    images.dim(0).set_bounds(0, inputs.rois);
    state.dim(0).set_bounds(0, 1);
    sum.dim(1).set_extent(inputs.channels);
    if (found_bad != nullptr) found_bad->dim(0).set_bounds(0, inputs.channels).set_stride(0);
    for (int d = 0; d < 3; ++d) {
      sum.dim(d).set_min(0);
      if (float_sum != nullptr) float_sum->dim(d).set_bounds(0, sum.dim(d).extent());
    }
  }

  void schedule() {
    schedules::ROIPOOL_SCHEDULE::Knobs knobs;
    ROIPOOL_KNOBS(ROIPOOL_KNOB_VALUE)
    schedules::ROIPOOL_SCHEDULE::apply_schedule(stages_, get_target(), knobs);
    if (print_loop_nest) get_pipeline().print_loop_nest();
  }

 private:
  static constexpr GpuGradForm form_ = {schedules::ROIPOOL_SCHEDULE::kIsFixedPoint, schedules::ROIPOOL_SCHEDULE::kIsByPlane};
  GpuGradStages stages_;
};

}  // namespace roipool::generators::ROIPOOL_SCHEDULE
