// The generator `roi_pool_grad`: binds the gradient's algorithm to buffers and to one of its schedules.
#include "Halide.h"
#include "roi_pool_grad/cpu_channel_blocks.h"
#include "roi_pool_grad/reference.h"
#include "roi_pool_grad_algorithm.h"

namespace {

enum class Schedule { kReference, kCpuChannelBlocks };

class RoiPoolGrad : public Halide::Generator<RoiPoolGrad> {
 public:
  GeneratorParam<Halide::Type> type{"type", Halide::Float(32)};
  GeneratorParam<Schedule> schedule_name{
      "schedule",
      Schedule::kCpuChannelBlocks,
      {{"reference", Schedule::kReference}, {"cpu_channel_blocks", Schedule::kCpuChannelBlocks}}};
#define ROIPOOL_KNOB_PARAM(name, initial, smallest, largest, meaning) \
  GeneratorParam<int> name{#name, initial, smallest, largest};
  ROIPOOL_GRAD_KNOBS(ROIPOOL_KNOB_PARAM)
#undef ROIPOOL_KNOB_PARAM

  Input<Buffer<void, 4>> grad_output{"grad_output"};      // (bin, member, group, roi); bins dense
  Input<Buffer<int32_t, 4>> argmax{"argmax"};             // (bin, member, group, roi); bins dense
  Input<Buffer<int32_t, 1>> order{"order"};               // (position)
  Input<Buffer<int32_t, 1>> images{"images"};             // (roi)
  Input<int32_t> prefetch_distance{"prefetch_distance"};  // In positions, at least 0.
  Input<bool> allows_non_finite{"allows_non_finite"};     // See roi_pool_grad_algorithm.h.
  Output<Buffer<void, 4>> sum{"sum"};                     // (pixel, member, group, image); pixels dense
  Output<Buffer<void, 4>> grad_input{"grad_input"};       // (pixel, member, group, image); pixels dense

  void configure() {
    const Halide::Type element = type;
    grad_output.set_type(element);
    grad_input.set_type(element);
    sum.set_type(element.bits() == 64 ? element : Halide::Float(32));
  }

  void generate() {
    const auto images_of_output = grad_input.dim(3);
    const roipool::generators::GradInputs inputs = {.grad_output = grad_output,
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
                                                    .allows_non_finite = allows_non_finite};
    stages_ = roipool::generators::DefineRoiPoolGrad(inputs, sum, grad_input, type);
    stages_.prefetch_distance = prefetch_distance;
    stages_.bins = inputs.bins;
    stages_.members = inputs.members;
    stages_.has_adjacent_rows = [this](int bins) {
      return grad_output.dim(0).extent() == bins && grad_output.dim(1).stride() == bins && argmax.dim(1).stride() == bins;
    };
    ConstrainBuffers();
  }

  void schedule() {
    roipool::schedules::GradKnobs knobs;
#define ROIPOOL_KNOB_VALUE(name, initial, smallest, largest, meaning) knobs.name = name;
    ROIPOOL_GRAD_KNOBS(ROIPOOL_KNOB_VALUE)
#undef ROIPOOL_KNOB_VALUE
    switch (static_cast<Schedule>(schedule_name)) {
      case Schedule::kReference:
        return roipool::schedules::ScheduleGradReference(stages_);
      case Schedule::kCpuChannelBlocks:
        return roipool::schedules::ScheduleGradCpuChannelBlocks(stages_, get_target(), knobs, get_pipeline());
    }
  }

 private:
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

  roipool::generators::GradStages stages_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RoiPoolGrad, roi_pool_grad)
