// The gradient on a CPU, for one block of channels: every roi's rows are staged, checked and scattered, a group of channels at
// a time. Blocks and threads are the caller's (runtime/grad_tasks.h), since the best size of a block depends on the shape.
#include <algorithm>

#include "kernel_layout.h"
#include "lowering/prefetch_rows.h"
#include "lowering/unswitch_consumers.h"
#include "schedule.h"

#define ROIPOOL_KNOBS(KNOB)                                                                              \
  KNOB(bins_per_step, 2, 1, 16, "bins of a row that one step of the scatter's loop adds")                \
  KNOB(short_row_lanes, 8, 1, 16, "bins in a vector of rows that are shorter than long_row_vectors")     \
  KNOB(long_row_vectors, 2, 1, 4, "rows of so many full vectors are copied and checked in full vectors") \
  KNOB(stages_gradients, 0, 0, 1, "1: 32- and 64-bit gradients are copied like argmax; 16-bit ones always are")

namespace roipool::schedules::cpu_channel_blocks {

/// Rows are copied to storage of a fixed size, which holds so many bins, e.g. 30x32; CMake reads this line, and rows of more go
/// to the next schedule. Halide puts at most 16 KiB on the stack, and the rows of a group must not lie 4096 bytes apart: a core
/// tells loads from stores by the lower 12 bits of their addresses.
constexpr int kMaxBins = 960;

struct Knobs {
  ROIPOOL_KNOBS(ROIPOOL_KNOB_FIELD)
};

/// The steps of apply_schedule().
class ChannelBlocks {
 public:
  ChannelBlocks(generators::GradStages& stages, const Halide::Target& target, const Knobs& knobs)
      : stages_(stages), target_(target), knobs_(knobs) {}

  void Schedule() {
    SchedulePlanes();
    ScheduleScatter();
    ScheduleRows();
    ScheduleChecks();

    PrefetchPlan prefetch = {.position_loop = "entries$y",
                             .group_loop = ".group",
                             .step_loop = ".step",
                             .rows = {{"argmax", Halide::Int(32)}, {"grad_output", stages_.type}},
                             .order = "order",
                             .distance = stages_.prefetch_distance};
    stages_.pipeline.add_custom_lowering_pass(new PrefetchRows(std::move(prefetch)));
    stages_.pipeline.add_custom_lowering_pass(new UnswitchConsumers(stages_.is_odd.name()));
  }

 private:
  using Tail = Halide::TailStrategy;

  void SchedulePlanes() {
    const int lanes = target_.natural_vector_size(stages_.sum_type);
    stages_.sum.vectorize(stages_.pixel, lanes, Tail::GuardWithIf);
    if (!stages_.rounded_pixels.defined()) {
      stages_.grad_input.vectorize(stages_.pixel, lanes, Tail::GuardWithIf);
      return;
    }
    Halide::RVar outer("outer"), inner("inner");
    stages_.grad_input.update()
        .split(stages_.rounded_pixels, outer, inner, lanes)
        .reorder(inner, outer, stages_.member, stages_.group, stages_.image)
        .vectorize(inner);
  }

  // The planes of a group are advanced together, bin by bin. Unrolled to few bins, not to whole rows: the more addresses of
  // code a scatter has, the more often the core guesses wrong which store a load must wait for (plain C++ loop with 4 channels,
  // two Zen 4 cores, shape A, one thread: 2 bins 0.73 ns per bin, 4 bins 0.78, 8 bins 1.38). The usual sizes of a row have
  // their own code, in which addresses are constants.
  void ScheduleScatter() {
    const auto& [bins, positions] = std::tie(stages_.entries.x, stages_.entries.y);
    Halide::RVar step("step"), in_step("in_step");
    for (const Halide::Expr& condition : {Rows7x7(4), Rows14x14(4), Rows7x7(2), HasMembers(4), HasMembers(2)}) {
      stages_.sum.update()
          .specialize(condition)
          .split(bins, step, in_step, knobs_.bins_per_step)
          .reorder(stages_.member, in_step, step, stages_.group, positions)
          .unroll(stages_.member)
          .unroll(in_step);
    }
    stages_.sum.update().reorder(bins, stages_.member, stages_.group, positions);
  }

  void ScheduleRows() {
    for (Halide::Func* place : {&stages_.roi, &stages_.image_of}) place->compute_at(stages_.sum, stages_.entries.y);
    Stage(stages_.target_row);
    // 16-bit gradients one by one inside the scatter would each go through a false register dependency; and what is converted
    // is converted in vectors.
    if (stages_.type != stages_.sum_type || knobs_.stages_gradients == 1) Stage(stages_.gradient_row);
  }

  // Copies whole vectors and then single elements, so that later loads match single stores: overlapping vectors (ShiftInwards)
  // hold those loads up (shape A, one thread, two Zen 4 cores: 0.79 ns per bin, 0.77 this way).
  void Stage(Halide::Func& row) {
    row.compute_at(stages_.sum, stages_.group)
        .bound_storage(stages_.bin, kMaxBins)
        .bound_storage(stages_.member, kMaxGroupChannels);
    for (const int members : {4, 2}) {
      row.specialize(Rows7x7(members))
          .vectorize(stages_.bin, Lanes(), Tail::GuardWithIf)
          .unroll(stages_.bin)
          .unroll(stages_.member);
    }
    row.specialize(IsLongRow()).vectorize(stages_.bin, Lanes(), Tail::GuardWithIf);
    row.vectorize(stages_.bin, LanesOfShortRow(), Tail::GuardWithIf);
  }

  void ScheduleChecks() {
    for (Halide::Func* check : {&stages_.is_odd, &stages_.is_bad, &stages_.pixel_limit}) {
      check->compute_at(stages_.sum, stages_.group);
    }
    VectorizeCheck(stages_.is_odd, stages_.checked);
    VectorizeCheck(stages_.is_bad, stages_.rechecked);
  }

  void VectorizeCheck(Halide::Func& check, Halide::RDom& rows) {
    Halide::RVar outer("outer"), inner("inner");
    const auto vectorize = [&](Halide::Stage stage, int lanes) {
      return stage.split(rows.x, outer, inner, lanes, Tail::GuardWithIf)
          .reorder(inner, rows.y, outer)
          .atomic()
          .vectorize(inner);
    };
    for (const int members : {4, 2}) {
      vectorize(check.update().specialize(HasMembers(members) && IsLongRow()), Lanes()).unroll(rows.y);
      vectorize(check.update().specialize(HasMembers(members)), LanesOfShortRow()).unroll(rows.y);
    }
    vectorize(check.update(), LanesOfShortRow());
  }

  // What full vectors leave over of a row is done bin by bin. 3x3 and 5x5 bins on shape A's map, one thread, two Zen 4 cores:
  // 2.5 and 1.4 ns per bin with 16 lanes, 1.6 and 1.0 with 8; 8x8 bins: 1.04 with 16, 1.06 with 8.
  Halide::Expr IsLongRow() const { return stages_.bins >= knobs_.long_row_vectors * Lanes(); }
  int Lanes() const { return target_.natural_vector_size<int32_t>(); }
  int LanesOfShortRow() const { return std::min(Lanes(), knobs_.short_row_lanes); }

  Halide::Expr HasMembers(int members) const { return stages_.members == members; }
  Halide::Expr Rows7x7(int members) const { return HasMembers(members) && stages_.has_adjacent_rows(7 * 7); }
  Halide::Expr Rows14x14(int members) const { return HasMembers(members) && stages_.has_adjacent_rows(14 * 14); }

  generators::GradStages& stages_;
  const Halide::Target& target_;
  const Knobs& knobs_;
};

inline void apply_schedule(generators::GradStages& stages, const Halide::Target& target, const Knobs& knobs) {
  ChannelBlocks(stages, target, knobs).Schedule();
}

}  // namespace roipool::schedules::cpu_channel_blocks
