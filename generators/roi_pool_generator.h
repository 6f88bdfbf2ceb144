// Binds the forward's algorithm to buffers and to one schedule. See roi_pool_grad_generator.h.
#include "Halide.h"
#include "roi_pool_algorithm.h"

namespace roipool::generators::ROIPOOL_SCHEDULE {

class RoiPool : public Halide::Generator<RoiPool> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> print_loop_nest{"print_loop_nest", false};  // To stderr, for scripts/inspect.
#define ROIPOOL_KNOB_PARAM(name, initial, smallest, largest, meaning) \
  GeneratorParam<int> name{#name, initial, smallest, largest};
  ROIPOOL_KNOBS(ROIPOOL_KNOB_PARAM)
#undef ROIPOOL_KNOB_PARAM

  Input<Buffer<void, 4>> x{"x"};               // (w, h, channel, image); any strides
  Input<Buffer<float, 2>> boxes{"boxes"};      // (x1 y1 x2 y2, roi)
  Input<Buffer<int32_t, 1>> images{"images"};  // (roi)
  Input<float> spatial_scale_h{"spatial_scale_h"};
  Input<float> spatial_scale_w{"spatial_scale_w"};
  Input<bool> rounds_corners{"rounds_corners"};
  Input<int32_t> pooled_h{"pooled_h"};
  Input<int32_t> pooled_w{"pooled_w"};

  void configure() {
    x.set_type(type);
    // (pw, ph, channel, roi): y and argmax; any strides
    pooled_ = add_output<Halide::Func>("pooled", {static_cast<Halide::Type>(type), Halide::Int(32)}, 4);
  }

  void generate() {
    stages_ = DefineRoiPool({x, boxes, images, spatial_scale_h, spatial_scale_w, rounds_corners, x.dim(0).extent(),
                             x.dim(1).extent(), x.dim(3).extent(), pooled_h, pooled_w},
                            type);
    *pooled_ = stages_.pooled;

    for (int d = 0; d < 4; ++d) x.dim(d).set_min(0);
    x.dim(0).set_stride(Halide::Expr());
    std::vector<Halide::OutputImageParam> outputs = stages_.pooled.output_buffers();
    for (Halide::OutputImageParam& output : outputs) output.dim(0).set_stride(Halide::Expr());
    Halide::OutputImageParam& y = outputs.front();  // argmax has its bounds too.
    y.dim(0).set_bounds(0, pooled_w);
    y.dim(1).set_bounds(0, pooled_h);
    y.dim(2).set_bounds(0, x.dim(2).extent());
    y.dim(3).set_bounds(0, images.dim(0).extent());
    images.dim(0).set_min(0);
    boxes.dim(0).set_bounds(0, 4);
    boxes.dim(1).set_bounds(0, images.dim(0).extent());
  }

  void schedule() {
    if (using_autoscheduler()) return;
    schedules::ROIPOOL_SCHEDULE::Knobs knobs;
#define ROIPOOL_KNOB_VALUE(name, initial, smallest, largest, meaning) knobs.name = name;
    ROIPOOL_KNOBS(ROIPOOL_KNOB_VALUE)
#undef ROIPOOL_KNOB_VALUE
    stages_.pipeline = get_pipeline();
    schedules::ROIPOOL_SCHEDULE::apply_schedule(stages_, get_target(), knobs);
    if (print_loop_nest) get_pipeline().print_loop_nest();
  }

 private:
  Output<Halide::Func>* pooled_ = nullptr;
  PoolStages stages_;
};

}  // namespace roipool::generators::ROIPOOL_SCHEDULE
