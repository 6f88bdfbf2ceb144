#include "launch.h"

#include <algorithm>

#include "call_context.h"
#include "halide_view.h"
#include "kernel_layout.h"
#include "make_status.h"
#include "prefault.h"

namespace roipool::internal {
namespace {

bool SumsInPlace(DataType type, Accumulation accumulation) noexcept { return SumType(type, accumulation) == type; }

// The channels of one task, in the groups that a kernel takes them in.
struct ChannelRange {
  int64_t begin, members, groups;
};

struct GradCall {
  const Kernel& kernel;
  const RoiPoolGradLaunch& launch;

  // A block is cut into full groups and, for what is left over, smaller ones.
  static int RunTask(CallContext& context, int32_t index, int32_t worker, const void* closure) noexcept {
    const auto& call = *static_cast<const GradCall*>(closure);
    const GradTasks& tasks = call.launch.tasks;
    const int32_t blocks = tasks.Blocks(call.launch.sizes.channels);
    const int64_t first_image = static_cast<int64_t>(index / blocks) * tasks.images_per_task;
    int64_t begin = static_cast<int64_t>(index % blocks) * tasks.channel_block;
    const int64_t end = std::min<int64_t>(begin + tasks.channel_block, call.launch.sizes.channels);
    for (int64_t members = tasks.group_channels; begin < end; members /= 2) {
      const int64_t groups = (end - begin) / members;
      if (groups == 0) continue;
      if (const int error = call.Run(context, first_image, {begin, members, groups}, worker); error != 0) return error;
      begin += groups * members;
    }
    return 0;
  }

  // In-place sums count on finite gradients, which the kernel checks; the few others take a second run.
  int Run(CallContext& context, int64_t first_image, const ChannelRange& range, int32_t worker) const noexcept {
    if (SumsInPlace(kernel.type, kernel.accumulation) &&
        CallKernel(nullptr, first_image, range, worker, /*allows_non_finite=*/false) == 0)
      return 0;
    return CallKernel(&context, first_image, range, worker, /*allows_non_finite=*/true);
  }

  int CallKernel(CallContext* context, int64_t first_image, const ChannelRange& range, int32_t worker,
                 bool allows_non_finite) const noexcept {
    const CallSizes& sizes = launch.sizes;
    const int64_t images = launch.tasks.images_per_task;
    const int64_t begin = launch.begin[first_image], end = launch.begin[first_image + images];
    const auto rows = [&](const void* data, DataType type, int64_t channel_stride, int64_t roi_stride) {
      return HalideView(data, type,
                        {{sizes.bins, 1},
                         {range.members, channel_stride},
                         {range.groups, StrideOf(range.groups, channel_stride * range.members)},
                         {sizes.rois, roi_stride}},
                        range.begin * channel_stride);
    };
    const auto planes = [&](void* data, DataType type, int64_t channel_stride, int64_t image_stride, int64_t offset) {
      return HalideView(data, type,
                        {{sizes.pixels, 1},
                         {range.members, channel_stride},
                         {range.groups, StrideOf(range.groups, channel_stride * range.members)},
                         {images, StrideOf(images, image_stride), first_image}},
                        offset);
    };
    HalideView grad_output =
        rows(launch.grad_output, kernel.type, launch.grad_output_channel_stride, launch.grad_output_roi_stride);
    HalideView argmax = rows(launch.argmax, DataType::kInt32, launch.argmax_channel_stride, launch.argmax_roi_stride);
    HalideView order(launch.order, DataType::kInt32, {{end - begin, 1}}, begin);
    HalideView roi_images(launch.images, DataType::kInt32, {{sizes.rois, 1}});
    HalideView grad_input =
        planes(launch.grad_input, kernel.type, launch.grad_input_channel_stride, launch.grad_input_image_stride,
               range.begin * launch.grad_input_channel_stride + first_image * launch.grad_input_image_stride);
    HalideView own_sums = planes(launch.sums, SumType(kernel.type, kernel.accumulation), sizes.pixels,
                                 sizes.pixels * range.members * range.groups,
                                 worker * SumsPerWorker(kernel.type, kernel.accumulation, sizes, launch.tasks));
    const bool is_contiguous = images == 1 && launch.grad_input_channel_stride == sizes.pixels;
    if (is_contiguous) {
      PrefaultForWriting(grad_input.buffer()->host,
                         static_cast<size_t>(sizes.pixels * range.members * range.groups * grad_input.buffer()->type.bytes()));
    }
    HalideView& sum = SumsInPlace(kernel.type, kernel.accumulation) ? grad_input : own_sums;
    return kernel.roi_pool_grad(context, grad_output.buffer(), argmax.buffer(), order.buffer(), roi_images.buffer(),
                                launch.tasks.prefetch_distance, allows_non_finite, launch.fixed_point_shift, sum.buffer(),
                                grad_input.buffer());
  }
};

}  // namespace

Status StatusOf(const char* function, const char* kernel, int halide_error, const CallContext& context) noexcept {
  if (halide_error == halide_error_code_success) return {};
  if (halide_error == halide_error_code_out_of_memory) {
    return MakeStatus(StatusCode::kOutOfMemory, "%s: the kernel %s could not allocate memory; fewer threads need less",
                      function, kernel);
  }
  return MakeStatus(StatusCode::kInternal, "%s: the kernel %s failed with Halide's code %d: %s", function, kernel, halide_error,
                    context.error());
}

DataType SumType(DataType type, Accumulation accumulation) noexcept {
  if (accumulation == Accumulation::kFixedPoint) return DataType::kInt64;
  return type == DataType::kFloat64 ? type : DataType::kFloat32;
}

int64_t SumsPerWorker(DataType type, Accumulation accumulation, const CallSizes& sizes, const GradTasks& tasks) noexcept {
  return SumsInPlace(type, accumulation) ? 0 : sizes.pixels * tasks.channel_block * tasks.images_per_task;
}

Status LaunchRoiPoolGrad(const char* function, const Kernel& kernel, int32_t threads, const RoiPoolGradLaunch& launch,
                         bool* found_bad_argmax) noexcept {
  CallContext context(threads);
  const GradCall call = {kernel, launch};
  const int error = RunTasks(context, launch.tasks.Count(launch.sizes), GradCall::RunTask, &call);
  *found_bad_argmax = error == halide_error_code_requirement_failed;
  return *found_bad_argmax ? Status() : StatusOf(function, kernel.name, error, context);
}

}  // namespace roipool::internal
