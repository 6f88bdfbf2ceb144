// Binds the forward's algorithm to buffers and to one schedule. See roi_pool_grad_generator.h.
#include "Halide.h"
#include "roi_pool_algorithm.h"

namespace roipool::generators::ROIPOOL_SCHEDULE {

class RoiPool : public Halide::Generator<RoiPool> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> print_loop_nest{"print_loop_nest", false};  // To stderr, for scripts/inspect.
  ROIPOOL_KNOBS(ROIPOOL_KNOB_PARAM)

  Input<Buffer<void, 3>> x{"x"};                 // (channel, w, h) of one image; any strides, or channels dense
  Input<Buffer<int32_t, 3>> columns{"columns"};  // (pw, side, roi); see roi_pool_steps_generator.cpp
  Input<Buffer<int32_t, 3>> rows{"rows"};        // (ph, side, roi)

  void configure() {
    x.set_type(type);
    // (bin, channel, roi): y and argmax; bins dense
    pooled_ = add_output<Halide::Func>("pooled", {static_cast<Halide::Type>(type), Halide::Int(32)}, 3);
  }

  void generate() {
    const PoolInputs inputs = {.x = x,
                               .columns = columns,
                               .rows = rows,
                               .width = x.dim(1).extent(),
                               .height = x.dim(2).extent(),
                               .pooled_w = columns.dim(0).extent(),
                               .pooled_h = rows.dim(0).extent()};
    stages_ = DefineRoiPool(inputs, type, schedules::ROIPOOL_SCHEDULE::kReadsChannelVectors);
    *pooled_ = stages_.pooled;

    for (int d = 0; d < 3; ++d) {
      x.dim(d).set_min(0);
      columns.dim(d).set_min(0);
      rows.dim(d).set_min(0);
    }
    if (!schedules::ROIPOOL_SCHEDULE::kReadsChannelVectors) x.dim(0).set_stride(Halide::Expr());
    columns.dim(1).set_extent(2);
    rows.dim(1).set_extent(2);
    const Halide::Expr channels = stages_.pooled.output_buffers().front().dim(1).extent();
    stages_.has_channels = [channels](int count) { return channels == count; };
    for (int d = 0; d < 3; ++d) stages_.pooled.output_buffers().front().dim(d).set_min(0);  // argmax follows.
  }

  void schedule() {
    if (using_autoscheduler()) return;
    schedules::ROIPOOL_SCHEDULE::Knobs knobs;
    ROIPOOL_KNOBS(ROIPOOL_KNOB_VALUE)
    stages_.pipeline = get_pipeline();
    schedules::ROIPOOL_SCHEDULE::apply_schedule(stages_, get_target(), knobs);
    if (print_loop_nest) get_pipeline().print_loop_nest();
  }

 private:
  Output<Halide::Func>* pooled_ = nullptr;
  PoolStages stages_;
};

}  // namespace roipool::generators::ROIPOOL_SCHEDULE
