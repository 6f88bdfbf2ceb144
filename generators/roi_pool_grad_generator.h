// Binds the gradient's algorithm to buffers and to one schedule. Included once for each schedule, after its file, by a source
// that cmake/add_roi_schedule.cmake writes; ROIPOOL_SCHEDULE is the schedule's name.
#include "Halide.h"
#include "roi_pool_grad_algorithm.h"

namespace roipool::generators::ROIPOOL_SCHEDULE {

class RoiPoolGrad : public Halide::Generator<RoiPoolGrad> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> fixed_point{"fixed_point", false};
  GeneratorParam<bool> print_loop_nest{"print_loop_nest", false};  // To stderr, for scripts/inspect.
  ROIPOOL_KNOBS(ROIPOOL_KNOB_PARAM)

  Input<Buffer<void, 4>> grad_output{"grad_output"};      // (bin, member, group, roi); bins dense
  Input<Buffer<int32_t, 4>> argmax{"argmax"};             // (bin, member, group, roi); bins dense
  Input<Buffer<int32_t, 1>> order{"order"};               // (position)
  Input<Buffer<int32_t, 1>> images{"images"};             // (roi)
  Input<int32_t> prefetch_distance{"prefetch_distance"};  // In positions, at least 0.
  Input<bool> allows_non_finite{"allows_non_finite"};     // See roi_pool_grad_algorithm.h.
  Input<int32_t> fixed_point_shift{"fixed_point_shift"};  // Read in fixed point alone.
  Output<Buffer<void, 4>> sum{"sum"};                     // (pixel, member, group, image); pixels dense
  Output<Buffer<void, 4>> grad_input{"grad_input"};       // (pixel, member, group, image); pixels dense

  void configure() {
    const Halide::Type element = type;
    grad_output.set_type(element);
    grad_input.set_type(element);
    sum.set_type(SumType(element, fixed_point));
  }

  void generate() {
    const auto images_of_output = grad_input.dim(3);
    const GradInputs inputs = {.grad_output = grad_output,
                               .argmax = argmax,
                               .order = order,
                               .images = images,
                               .bins = grad_output.dim(0).extent(),
                               .members = grad_output.dim(1).extent(),
                               .rois = grad_output.dim(3).extent(),
                               .positions = order.dim(0).extent(),
                               .first_image = images_of_output.min(),
                               .last_image = images_of_output.max(),
                               .pixels = grad_input.dim(0).extent(),
                               .allows_non_finite = allows_non_finite,
                               .fixed_point_shift = fixed_point_shift};
    stages_ = DefineRoiPoolGrad(inputs, sum, grad_input, type, fixed_point);
    stages_.prefetch_distance = prefetch_distance;
    stages_.bins = inputs.bins;
    stages_.members = inputs.members;
    stages_.has_adjacent_rows = [this](int bins) {
      return grad_output.dim(0).extent() == bins && grad_output.dim(1).stride() == bins && argmax.dim(1).stride() == bins;
    };
    ConstrainBuffers();
    SetEstimates();
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
  // A block of four channels of the benchmarks' shape A, both images at once. For Halide's autoschedulers alone.
  void SetEstimates() {
    const Halide::Region rows = {{0, 49}, {0, 4}, {0, 1}, {0, 1024}}, planes = {{0, 3400}, {0, 4}, {0, 1}, {0, 2}};
    grad_output.set_estimates(rows);
    argmax.set_estimates(rows);
    order.set_estimates({{0, 1024}});
    images.set_estimates({{0, 1024}});
    prefetch_distance.set_estimate(3);
    allows_non_finite.set_estimate(false);
    fixed_point_shift.set_estimate(24);
    sum.set_estimates(planes);
    grad_input.set_estimates(planes);
  }

  void ConstrainBuffers() {
    for (int d = 0; d < 4; ++d) {
      if (d < 3) grad_input.dim(d).set_min(0);
      sum.dim(d).set_bounds(grad_input.dim(d).min(), grad_input.dim(d).extent());
      grad_output.dim(d).set_min(0);
      argmax.dim(d).set_bounds(0, grad_output.dim(d).extent());
    }
    for (int d = 1; d < 3; ++d) grad_output.dim(d).set_extent(grad_input.dim(d).extent());
    order.dim(0).set_min(0);
    images.dim(0).set_bounds(0, grad_output.dim(3).extent());
  }

  GradStages stages_;
};

}  // namespace roipool::generators::ROIPOOL_SCHEDULE
