// The steps around a GPU's scatter, none of which has a choice of schedules: image indices and argmax of any type as int32, the
// inspection of argmax and gradients, and the rounding of sums.
#include "Halide.h"
#include "gpu_scatter.h"
#include "number_formats.h"
#include "roi_pool_grad_algorithm.h"
#include "roi_pool_grad_gpu_algorithm.h"
#include "unit_numbers.h"

namespace roipool::generators {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Type;
using Halide::Var;

constexpr int kThreads = 256;

// Blocks over a plane, channels and images, told apart without a division if they fit the dimensions of a grid.
void TakePlanes(Func& planes, const Var& block, const Var& channel, const Var& image, const Expr& channels,
                const Expr& images) {
  planes.specialize(channels <= schedules::kMaxBlocks && images <= schedules::kMaxBlocks)
      .gpu_blocks(block, channel, image)
      .never_partition_all();
  Var all{"all"};
  planes.fuse(block, channel, all).fuse(all, image, all).gpu_blocks(all).never_partition_all();
}

/// rois -> images.
class GpuImages : public Halide::Generator<GpuImages> {
 public:
  GeneratorParam<bool> checks_boxes{"checks_boxes", false};  // Then a roi whose box is not finite has no image either.

  Input<Buffer<uint16_t, 3>> rois{"rois"};  // (unit, column, roi); any strides
  Input<int32_t> exponent_bits{"exponent_bits"};
  Input<int32_t> image_count{"image_count"};
  Output<Buffer<int32_t, 1>> images{"images"};  // (roi); -2 for what is no image

  void generate() {
    const UnitFormat format = {rois.dim(0).extent(), exponent_bits};
    const Expr number = WholeNumber(format, JoinUnits(format, [&](const Expr& u) { return rois(u, 0, roi_); }));
    Expr is_good = number >= 0 && number < image_count;
    for (int c = 1; checks_boxes && c < kRoiColumns; ++c) {
      is_good = is_good && IsFinite(format, rois(format.units - 1, c, roi_));
    }
    images(roi_) = select(is_good, number, -2);
    rois.dim(0).set_min(0);
    rois.dim(1).set_bounds(0, kRoiColumns);
    rois.dim(2).set_bounds(0, images.dim(0).extent());
    images.dim(0).set_min(0);
  }

  void schedule() {
    Var outer, inner;
    Func(images).gpu_tile(roi_, outer, inner, kThreads, Halide::TailStrategy::GuardWithIf);
  }

 private:
  Var roi_{"roi"};
};

/// argmax of any type -> int32, dense.
class GpuArgmax : public Halide::Generator<GpuArgmax> {
 public:
  Input<Buffer<uint16_t, 5>> argmax{"argmax"};  // (unit, pw, ph, channel, roi)
  Input<int32_t> exponent_bits{"exponent_bits"};
  Output<Buffer<int32_t, 4>> converted{
      "converted"};  // (pw, ph, channel, roi); -2 for what is neither -1 nor a whole number in [0, 2^31)

  void generate() {
    const UnitFormat format = {argmax.dim(0).extent(), exponent_bits};
    converted(pw_, ph_, channel_, roi_) =
        WholeNumber(format, JoinUnits(format, [&](const Expr& u) { return argmax(u, pw_, ph_, channel_, roi_); }));
    argmax.dim(0).set_min(0);
    for (int d = 0; d < 4; ++d) {
      converted.dim(d).set_min(0);
      argmax.dim(d + 1).set_bounds(0, converted.dim(d).extent());
    }
  }

  void schedule() {
    Var fused{"fused"}, outer{"outer"}, inner{"inner"};
    Func(converted)
        .fuse(pw_, ph_, fused)
        .fuse(fused, channel_, fused)
        .split(fused, outer, inner, kThreads, Halide::TailStrategy::GuardWithIf);
    Func(converted).fuse(outer, roi_, outer).gpu_blocks(outer).gpu_threads(inner);
  }

 private:
  Var pw_{"pw"}, ph_{"ph"}, channel_{"channel"}, roi_{"roi"};
};

constexpr uint32_t kUppermost = 0x80000000u;

/// The largest of a block's threads in steps of kFanIn, each thread's values of `lane` (thread, block) being its own. Blocks
/// are those of the output `largest` (block), which has a thread of its own for the last step.
class BlockMaximum {
 public:
  void Define(Func& largest, const Expr& of_lane, const RDom& steps, const Var& lane, const Var& block) {
    lane_ = lane;
    value_(lane, block) = cast<uint32_t>(0);
    value_(lane, block) = Halide::max(value_(lane, block), of_lane);
    steps_ = steps;
    lanes_(lane, block) = value_(lane, block);
    const RDom in_row(0, kFanIn, "in_row"), rows(0, kThreads / kFanIn, "rows");
    rows_(row_, block) = cast<uint32_t>(0);
    rows_(row_, block) = Halide::max(rows_(row_, block), lanes_(row_ + kThreads / kFanIn * in_row, block));
    total_(block) = cast<uint32_t>(0);
    total_(block) = Halide::max(total_(block), rows_(rows, block));
    largest(block) = cast(largest.type(), total_(block));
  }

  void Schedule(Func& largest, const Var& block) {
    Var outer{"outer"}, last{"last"};
    largest.split(block, outer, last, 1).gpu_blocks(outer).gpu_threads(last);
    total_.compute_at(largest, last);
    for (Func* step : {&rows_, &lanes_}) step->compute_at(largest, outer).store_in(Halide::MemoryType::GPUShared);
    rows_.gpu_threads(row_);
    rows_.update().gpu_threads(row_);
    lanes_.gpu_threads(lane_);
    value_.compute_at(lanes_, lane_);
  }

  Halide::Stage adding() { return value_.update(); }

 private:
  static constexpr int kFanIn = 16;
  Func value_{"value"}, lanes_{"lanes"}, rows_{"rows"}, total_{"total"};
  Var lane_, row_{"row"};
  RDom steps_;
};

/// Of all entries, for parts of them: the upper 31 bits of the largest magnitude among the gradients that count, with the
/// uppermost bit if an entry is out of range.
class GpuInspect : public Halide::Generator<GpuInspect> {
 public:
  GeneratorParam<int> bits{"bits", 32};  // Of a gradient.

  Input<Buffer<void, 4>> grad_output{"grad_output"};  // (pw, ph, channel, roi), as bits; any strides
  Input<Buffer<int32_t, 4>> argmax{"argmax"};         // (pw, ph, channel, roi); any strides
  Input<int32_t> pixels{"pixels"};
  Output<Buffer<uint32_t, 1>> parts{"parts"};

  void configure() { grad_output.set_type(Halide::UInt(static_cast<int>(bits))); }

  void generate() {
    // Threads side by side take entries side by side. The last dimension needs no remainder: what is dense comes as that one.
    const Expr threads = parts.dim(0).extent() * kThreads;
    Expr extent[4], index[4];
    Expr count = 1;
    for (int d = 0; d < 4; ++d) count = count * (extent[d] = argmax.dim(d).extent());
    const RDom steps(0, (count - 1) / threads + 1, "steps");
    steps_ = steps;
    const auto u32 = [](const Expr& number) { return cast<uint32_t>(number); };
    const Expr entry = u32(steps.x) * u32(threads) + u32(part_ * kThreads + lane_);  // May be more than count by threads - 1.
    steps_.where(entry < u32(count));
    Expr rest = cast<int32_t>(entry);
    for (int d = 0; d < 4; ++d) {
      index[d] = Halide::unsafe_promise_clamped(d == 3 ? rest : rest % extent[d], 0, extent[d] - 1);
      rest = rest / extent[d];
    }
    const Expr pixel = argmax(index[0], index[1], index[2], index[3]);
    const Expr gradient = grad_output(index[0], index[1], index[2], index[3]);
    const Expr unsigned_bits = gradient & Halide::Internal::make_const(gradient.type(), (uint64_t{1} << (bits - 1)) - 1);
    const Expr magnitude = cast<uint32_t>(bits == 64 ? unsigned_bits >> cast<uint64_t>(32) : unsigned_bits);
    const Expr is_bad = cast<uint32_t>(pixel) + cast<uint32_t>(1) > cast<uint32_t>(pixels);
    Func result = parts;
    maximum_.Define(result, select(is_bad, Expr(kUppermost), pixel >= 0, magnitude, cast<uint32_t>(0)), steps_, lane_, part_);
    for (int d = 0; d < 4; ++d) {
      argmax.dim(d).set_min(0);
      grad_output.dim(d).set_bounds(0, extent[d]);
    }
    grad_output.dim(0).set_stride(Expr());
    argmax.dim(0).set_stride(Expr());
    parts.dim(0).set_min(0);
  }

  void schedule() {
    Func result = parts;
    maximum_.Schedule(result, part_);
    result.specialize(argmax.dim(0).extent() == 1 && argmax.dim(1).extent() == 1 && argmax.dim(2).extent() == 1);
  }

 private:
  Var part_{"part"}, lane_{"lane"};
  RDom steps_;
  BlockMaximum maximum_;
};

/// The parts' largest as the state, with the uppermost of its 32 bits also if an image is out of range.
class GpuVerdict : public Halide::Generator<GpuVerdict> {
 public:
  Input<Buffer<uint32_t, 1>> parts{"parts"};
  Input<Buffer<int32_t, 1>> images{"images"};  // (roi)
  Output<Buffer<uint64_t, 1>> state{"state"};  // (0)

  void generate() {
    const Expr part_count = parts.dim(0).extent(), rois = images.dim(0).extent();
    const RDom steps(0, (Halide::max(part_count, rois) - 1) / kThreads + 1, "steps");
    const Expr place = steps.x * kThreads + lane_;
    const auto at = [&](const auto& buffer, const Expr& count) { return buffer(Halide::clamp(place, 0, count - 1)); };
    Func result = state;
    maximum_.Define(result,
                    Halide::max(at(parts, part_count), select(at(images, rois) < 0, Expr(kUppermost), cast<uint32_t>(0))),
                    steps, lane_, element_);
    parts.dim(0).set_min(0);
    images.dim(0).set_min(0);
    state.dim(0).set_bounds(0, 1);
  }

  void schedule() {
    Func result = state;
    maximum_.Schedule(result, element_);
  }

 private:
  Var element_{"element"}, lane_{"lane"};
  BlockMaximum maximum_;
};

/// Zeroes memory, as words. Four lanes, at a multiple of 16 bytes, are one store.
class GpuZero : public Halide::Generator<GpuZero> {
 public:
  GeneratorParam<bool> if_not_finite{"if_not_finite", false};  // Else in any case, and the state is not read.

  Input<Buffer<uint64_t, 1>> state{"state"};   // (0)
  Input<uint64_t> infinity{"infinity"};        // As a largest magnitude in the state.
  Output<Buffer<uint32_t, 2>> words{"words"};  // (lane, group), dense

  void generate() {
    const Expr lanes = words.dim(0).extent(), groups = words.dim(1).extent();
    words.dim(0).set_min(0);
    words.dim(1).set_min(0).set_stride(lanes);
    state.dim(0).set_bounds(0, 1);
    groups_ = RDom(0, groups, "groups");
    // One with what a thread knows alone: see DefineRoiPoolGradGpu().
    if (if_not_finite) groups_.where(groups_.x < select(state(0) >= infinity, groups, 0));
    words(lane_, group_) = Halide::undef<uint32_t>();
    words(lane_, groups_.x) = cast<uint32_t>(0);
  }

  void schedule() {
    schedules::leave_alone(words);
    Halide::Stage update = Func(words).update();
    Halide::RVar outer{"outer"}, inner{"inner"};
    const auto in_blocks = [&](Halide::Stage stage) {
      stage.split(groups_.x, outer, inner, kThreads, Halide::TailStrategy::GuardWithIf)
          .reorder(lane_, inner, outer)
          .gpu_blocks(outer)
          .gpu_threads(inner)
          .never_partition_all();
    };
    in_blocks(update.specialize(words.dim(0).extent() == 4).vectorize(lane_, 4));
    in_blocks(update);
  }

 private:
  Var lane_{"lane"}, group_{"group"};
  RDom groups_;
};

/// sum -> grad_input.
class GpuFinish : public Halide::Generator<GpuFinish> {
 public:
  GeneratorParam<Type> type{"type", Halide::Float(32)};
  GeneratorParam<bool> fixed_point{"fixed_point", false};

  Input<Buffer<void, 4>> sum{"sum"};              // (w, h, channel, image)
  Input<Buffer<void, 4>> float_sum{"float_sum"};  // (w, h, channel, image); looked at if a gradient is not finite
  Input<Buffer<uint64_t, 1>> state{"state"};      // (0)
  Input<int32_t> addends_log2{"addends_log2"};
  Input<bool> is_aligned{"is_aligned"};              // Sums and grad_input begin at multiples of 16 bytes.
  Output<Buffer<void, 4>> grad_input{"grad_input"};  // (w, h, channel, image)

  void configure() {
    sum.set_type(SumType(type, fixed_point));
    float_sum.set_type(SumType(type, false));
    grad_input.set_type(Halide::UInt(static_cast<Type>(type).bits()));
  }

  void generate() {
    const Type element = type;
    const NumberFormat format = NumberFormat::Of(element);
    const auto of_float = [&](const Expr& number) -> Expr {
      if (element.bits() == 16) return BitsFromFloat(number, element);
      const Expr number_bits = Halide::reinterpret(format.bits_type(), number);
      const Expr is_nan = Magnitude(number_bits, element) > Halide::Internal::make_const(format.bits_type(), format.infinity());
      return select(is_nan, Halide::Internal::make_const(format.bits_type(), format.quiet_nan()), number_bits);
    };
    const Expr number = sum(w_, h_, channel_, image_);
    if (!fixed_point) {
      grad_input(w_, h_, channel_, image_) = of_float(number);
    } else {
      const Expr largest = LargestMagnitude(state(0), element);
      const Expr shift = FixedPointShift(largest, addends_log2, element);
      const Expr is_finite = largest < Halide::Internal::make_const(format.bits_type(), format.infinity());
      // Not select(), which would read both sums.
      grad_input(w_, h_, channel_, image_) = Halide::Internal::Call::make(
          format.bits_type(), Halide::Internal::Call::if_then_else,
          {is_finite, FromFixedPoint(number, shift, element), of_float(float_sum(w_, h_, channel_, image_))},
          Halide::Internal::Call::PureIntrinsic);
    }
    grad_input.dim(0).set_stride(Expr());
    grad_input.set_host_alignment(16);  // Counts where several are stored at once, so if is_aligned.
    for (int d = 0; d < 4; ++d) {
      grad_input.dim(d).set_min(0);
      sum.dim(d).set_bounds(0, grad_input.dim(d).extent());
      float_sum.dim(d).set_bounds(0, grad_input.dim(d).extent());
    }
    state.dim(0).set_bounds(0, 1);
  }

  void schedule() {
    const auto tail = Halide::TailStrategy::GuardWithIf;
    Var pixel{"pixel"}, outer{"outer"}, inner{"inner"};
    Func result = grad_input;
    const auto is_group = [](const auto& buffer) { return buffer.dim(0).stride() == 1 && buffer.dim(1).stride() == kLanes; };
    Halide::Stage rows = result.specialize(is_aligned && is_group(sum) && is_group(float_sum) && is_group(grad_input) &&
                                           grad_input.dim(0).extent() == kLanes && grad_input.dim(2).extent() == 1 &&
                                           grad_input.dim(3).extent() == 1);
    // Halide 21 makes no OpenCL of a vector's if_then_else.
    if (fixed_point && get_target().has_feature(Halide::Target::OpenCL)) {
      rows.unroll(w_, kLanes);
    } else {
      rows.vectorize(w_, kLanes);
    }
    rows.split(h_, outer, inner, kThreads, tail)
        .reorder(w_, inner, outer, channel_, image_)
        .gpu_blocks(outer)
        .gpu_threads(inner)
        .never_partition_all();
    result.fuse(w_, h_, pixel).split(pixel, outer, inner, kThreads, tail).gpu_threads(inner);
    TakePlanes(result, outer, channel_, image_, grad_input.dim(2).extent(), grad_input.dim(3).extent());
  }

 private:
  static constexpr int kLanes = 4;
  Var w_{"w"}, h_{"h"}, channel_{"channel"}, image_{"image"};
};

}  // namespace
}  // namespace roipool::generators

HALIDE_REGISTER_GENERATOR(roipool::generators::GpuImages, gpu_images)
HALIDE_REGISTER_GENERATOR(roipool::generators::GpuArgmax, gpu_argmax)
HALIDE_REGISTER_GENERATOR(roipool::generators::GpuInspect, gpu_inspect)
HALIDE_REGISTER_GENERATOR(roipool::generators::GpuVerdict, gpu_verdict)
HALIDE_REGISTER_GENERATOR(roipool::generators::GpuZero, gpu_zero)
HALIDE_REGISTER_GENERATOR(roipool::generators::GpuFinish, gpu_finish)
