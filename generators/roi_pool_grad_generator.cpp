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
  GeneratorParam<bool> checks_argmax{"checks_argmax", true};  // False only to measure what the check costs.
#define ROIPOOL_KNOB_PARAM(name, initial, smallest, largest, meaning) \
  GeneratorParam<int> name{#name, initial, smallest, largest};
  ROIPOOL_GRAD_KNOBS(ROIPOOL_KNOB_PARAM)
#undef ROIPOOL_KNOB_PARAM

  Input<Buffer<void, 3>> grad_output{"grad_output"};  // (bin, channel, roi); bins dense
  Input<Buffer<int32_t, 3>> argmax{"argmax"};         // (bin, channel, roi); bins dense
  Input<Buffer<int32_t, 1>> order{"order"};           // (position)
  Input<Buffer<int32_t, 1>> begin{"begin"};           // (image), one more than images
  Output<Buffer<void, 3>> grad_input{"grad_input"};   // (pixel, channel, image); pixels dense

  void configure() {
    grad_output.set_type(type);
    grad_input.set_type(type);
  }

  void generate() {
    const Halide::Expr bins = grad_output.dim(0).extent(), channels = grad_output.dim(1).extent(),
                       rois = grad_output.dim(2).extent();
    stages_ = roipool::generators::DefineRoiPoolGrad(
        {grad_output, argmax, order, begin, bins, channels, rois, grad_input.dim(0).extent()}, grad_input, type, checks_argmax);

    for (int d = 0; d < 3; ++d) {
      grad_input.dim(d).set_min(0);
      grad_output.dim(d).set_min(0);
      argmax.dim(d).set_bounds(0, grad_output.dim(d).extent());
    }
    grad_output.dim(1).set_extent(grad_input.dim(1).extent());
    order.dim(0).set_bounds(0, rois);
    begin.dim(0).set_bounds(0, grad_input.dim(2).extent() + 1);
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
        return roipool::schedules::ScheduleGradCpuChannelBlocks(stages_, get_target(), knobs);
    }
  }

 private:
  roipool::generators::GradStages stages_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RoiPoolGrad, roi_pool_grad)
