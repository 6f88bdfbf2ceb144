#include "roi_pool_grad_gpu_algorithm.h"

#include "number_formats.h"
#include "roi_pool_grad_algorithm.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::Type;
using Halide::unsafe_promise_clamped;

Expr Number(const Expr& gradient, const Type& type) { return type.bits() == 16 ? FloatFromBits(gradient, type) : gradient; }

Expr Bits(const Expr& gradient, const Type& type) {
  return type.bits() == 16 ? gradient : Halide::reinterpret(Halide::UInt(type.bits()), gradient);
}

}  // namespace

Type GpuType(const Type& type) { return type.bits() == 16 ? Halide::UInt(16) : type; }

GpuGradStages DefineRoiPoolGradGpu(const GpuGradInputs& inputs, const Halide::Func& sum, const Halide::Func& float_sum,
                                   const Halide::Func& found_bad, Type type, const GpuGradForm& form) {
  GpuGradStages stages;
  stages.sum = sum;
  stages.float_sum = float_sum;
  const auto& [p, c, n] = std::tie(stages.pixel, stages.channel, stages.image);
  const NumberFormat format = NumberFormat::Of(type);
  const Expr largest = LargestMagnitude(inputs.state(0), type);
  const Expr is_finite = largest < Halide::Internal::make_const(format.bits_type(), format.infinity());
  const Expr shift = FixedPointShift(largest, inputs.addends_log2, type);
  const auto number = [&](const Expr& gradient) { return Number(gradient, type); };
  const auto fixed = [&](const Expr& gradient) { return ToFixedPoint(Bits(gradient, type), shift, type); };

  // The update definition. Promised, not clamped: the conditions guard it. By plane, an image takes its own rois alone.
  const auto define_scatter = [&](Halide::Func& target, const Expr& condition, bool by_plane, const auto& value) {
    const bool is_unconditional = Halide::Internal::is_const_one(condition);
    RDom entries = by_plane ? RDom(0, inputs.pooled_w, 0, inputs.pooled_h, 0, inputs.rois, "entries")
                            : RDom(0, inputs.pooled_w, 0, inputs.pooled_h, 0, inputs.rois, 0, inputs.channels, "entries");
    const Expr channel = by_plane ? Expr(c) : Expr(entries.w);
    // Promises, since bounds of what an index is read from know of no guard around a loop that is split. No two alike: what
    // occurs twice in an addition, Halide 21 takes out of one of its sides, and no longer sees that both are about the same
    // element, which is then not added to by an atomic addition but by compare and swap. Hence the -1.
    //
    // By plane, the conditions of split loops and these end up in one that is computed as a whole, so an index must be in
    // bounds in any case.
    const auto within = [&](const Expr& index, const Expr& extent) {
      return by_plane ? Halide::min(index, extent - 1) : index;
    };
    const Expr pixel = inputs.argmax(unsafe_promise_clamped(within(entries.x, inputs.pooled_w), 0, inputs.pooled_w - 1),
                                     unsafe_promise_clamped(within(entries.y, inputs.pooled_h), 0, inputs.pooled_h - 1),
                                     unsafe_promise_clamped(channel, 0, inputs.channels - 1),
                                     unsafe_promise_clamped(within(entries.z, inputs.rois), 0, inputs.rois - 1));
    const Expr image = inputs.images(unsafe_promise_clamped(within(entries.z, inputs.rois), -1, inputs.rois - 1));
    entries.where(by_plane ? image == n : cast<uint32_t>(image) < cast<uint32_t>(inputs.image_count));
    // One with what a thread knows alone: a condition by itself would be looked at once, by the host.
    const Expr limit = cast<uint32_t>(inputs.pixels);
    entries.where(cast<uint32_t>(pixel) < (is_unconditional ? limit : Halide::select(condition, limit, cast<uint32_t>(0))));
    const Expr own_image = by_plane ? Expr(n) : unsafe_promise_clamped(image, 0, inputs.image_count - 1);
    target(unsafe_promise_clamped(pixel, 0, inputs.pixels - 1), channel, own_image) +=
        value(inputs.grad_output(entries.x, entries.y, channel, entries.z));
    return entries;
  };
  const auto define_sum = [&](Halide::Func& target) {
    const Type sum_type = SumType(type, form.is_fixed_point);
    target(p, c, n) = form.is_by_plane ? cast(sum_type, 0) : Halide::undef(sum_type);
    stages.entries = form.is_fixed_point ? define_scatter(target, is_finite, form.is_by_plane, fixed)
                                         : define_scatter(target, Halide::Internal::const_true(), form.is_by_plane, number);
  };
  if (form.is_by_plane) {
    define_sum(stages.plane);
    stages.sum(p, c, n) = stages.plane(p, c, n);
  } else {
    define_sum(stages.sum);
  }

  if (!form.is_fixed_point) {
    // Over the same loops, so that a schedule can look at an entry when it adds it. A count: an addition is atomic, a maximum
    // is not. Each channel has one, if only in name, as loops can only be shared if both sides say so of the same dimensions.
    RDom checked(0, inputs.pooled_w, 0, inputs.pooled_h, 0, inputs.rois, 0, inputs.channels, "entries");
    // Computed as a whole with the conditions of split loops: in bounds in any case.
    const auto within = [](const Expr& index, const Expr& extent) {
      return unsafe_promise_clamped(Halide::min(index, extent - 1), 0, extent - 1);
    };
    const Expr pixel = inputs.argmax(within(checked.x, inputs.pooled_w), within(checked.y, inputs.pooled_h),
                                     within(checked.w, inputs.channels), within(checked.z, inputs.rois));
    const Expr image = inputs.images(within(checked.z, inputs.rois));
    checked.where(image < 0 || cast<uint32_t>(pixel) + cast<uint32_t>(1) > cast<uint32_t>(inputs.pixels));
    stages.found_bad = found_bad;
    stages.checked = checked;
    stages.found_bad(c) = Halide::undef<uint64_t>();
    stages.found_bad(checked.w) += cast<uint64_t>(1) << cast<uint64_t>(32);
    return stages;
  }
  stages.float_sum(p, c, n) = Halide::undef(SumType(type, false));
  stages.float_entries = define_scatter(stages.float_sum, !is_finite, false, number);
  return stages;
}

}  // namespace roipool::generators
