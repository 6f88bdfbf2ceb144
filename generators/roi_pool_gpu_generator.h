// Binds the GPU's forward to buffers and to one schedule. Included once for each schedule, as roi_pool_grad_generator.h is.
#include "Halide.h"
#include "roi_pool_gpu_algorithm.h"

namespace roipool::generators::ROIPOOL_SCHEDULE {

class RoiPoolGpu : public Halide::Generator<RoiPoolGpu> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> print_loop_nest{"print_loop_nest", false};  // To stderr, for scripts/inspect.
  ROIPOOL_KNOBS(ROIPOOL_KNOB_PARAM)

  Input<Buffer<void, 4>> x{"x"};                 // (w, h, channel, image), as bits; any strides
  Input<Buffer<int32_t, 3>> columns{"columns"};  // (pw, side, roi)
  Input<Buffer<int32_t, 3>> rows{"rows"};        // (ph, side, roi)
  Input<Buffer<int32_t, 1>> images{"images"};    // (roi)
  Input<int32_t> tile_w{"tile_w"}, tile_h{"tile_h"}, tile_channels{"tile_channels"};  // Threads of a block.

  void configure() {
    const Halide::Type bits = Halide::UInt(static_cast<Halide::Type>(type).bits());
    x.set_type(bits);
    // (pw, ph, channel, roi): y and argmax; any strides
    pooled_ = add_output<Halide::Func>("pooled", {bits, Halide::Int(32)}, 4);
  }

  void generate() {
    stages_ = DefineRoiPoolGpu({.x = x,
                                .columns = columns,
                                .rows = rows,
                                .images = images,
                                .width = x.dim(0).extent(),
                                .height = x.dim(1).extent(),
                                .image_count = x.dim(3).extent()},
                               type);
    stages_.tile = {tile_w, tile_h, tile_channels};
    *pooled_ = stages_.pooled;

    const auto outputs = stages_.pooled.output_buffers();
    for (Halide::OutputImageParam output : outputs) output.dim(0).set_stride(Halide::Expr());
    Halide::OutputImageParam y = outputs.front();  // argmax follows.
    const Halide::Expr rois = y.dim(3).extent();
    for (int d = 0; d < 4; ++d) {
      x.dim(d).set_min(0);
      y.dim(d).set_min(0);
    }
    x.dim(0).set_stride(Halide::Expr());
    x.dim(2).set_extent(y.dim(2).extent());
    columns.dim(0).set_bounds(0, y.dim(0).extent());
    rows.dim(0).set_bounds(0, y.dim(1).extent());
    for (auto* edges : {&columns, &rows}) {
      edges->dim(1).set_bounds(0, 2);
      edges->dim(2).set_bounds(0, rois);
    }
    images.dim(0).set_bounds(0, rois);
  }

  void schedule() {
    schedules::ROIPOOL_SCHEDULE::Knobs knobs;
    ROIPOOL_KNOBS(ROIPOOL_KNOB_VALUE)
    schedules::ROIPOOL_SCHEDULE::apply_schedule(stages_, get_target(), knobs);
    if (print_loop_nest) get_pipeline().print_loop_nest();
  }

 private:
  Output<Halide::Func>* pooled_ = nullptr;
  GpuPoolStages stages_;
};

}  // namespace roipool::generators::ROIPOOL_SCHEDULE
