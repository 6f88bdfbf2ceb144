// The passes of schedules/lowering: what they insert, that they change no result, and that they fail where they find nothing.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "Halide.h"
#include "lowering/prefetch_rows.h"
#include "lowering/trim_loops.h"
#include "lowering/unswitch_consumers.h"

namespace roipool::schedules {
namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;

std::string Lowered(Pipeline pipeline, const std::vector<Halide::Argument>& arguments) {
  std::ostringstream text;
  text << pipeline.compile_to_module(arguments, "lowered").functions().front().body;
  return text.str();
}

int CountOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A sum over rows that are reached through an index, as the gradient reads them, in loops position > group > step.
struct RowSums {
  RowSums() {
    result(x) = 0;
    result(x) += rows(in_row.x, 0, in_row.y, Halide::unsafe_promise_clamped(order(in_row.z), 0, 7));
    result.update().split(in_row.x, step, in_step, 2).reorder(x, in_step, step, in_row.y, in_row.z).unroll(in_step);
    order.dim(0).set_min(0);
  }

  PrefetchPlan Plan(const std::string& step_loop) const {
    return {.position_loop = "in_row$z",
            .group_loop = "in_row$y",
            .step_loop = step_loop,
            .rows = {{"rows", Halide::Int(32)}},
            .order = "order",
            .distance = 3};
  }

  ImageParam rows{Halide::Int(32), 4, "rows"}, order{Halide::Int(32), 1, "order"};
  Var x{"x"};
  RDom in_row{0, 16, 0, 4, 0, order.dim(0).extent(), "in_row"};
  Halide::RVar step{"step"}, in_step{"in_step"};
  Func result{"result"};
};

TEST(PrefetchRows, InsertsOnePrefetchPerBufferAndStep) {
  RowSums sums;
  Pipeline pipeline(sums.result);
  pipeline.add_custom_lowering_pass(new PrefetchRows(sums.Plan(".step")));
  const std::string text = Lowered(pipeline, {sums.rows, sums.order});
  EXPECT_EQ(CountOf(text, "prefetch(rows"), 1) << text;
  EXPECT_NE(text.find("min(result.s1.in_row$z + 3"), std::string::npos) << "three positions later, at most the last\n" << text;
}

TEST(PrefetchRows, FailsIfNoLoopIsFound) {
  RowSums sums;
  Pipeline pipeline(sums.result);
  pipeline.add_custom_lowering_pass(new PrefetchRows(sums.Plan(".nowhere")));
  EXPECT_THROW(Lowered(pipeline, {sums.rows, sums.order}), Halide::CompileError);
}

// The sum over each row, where every third row takes only its even places.
struct SomeSums {
  SomeSums() {
    is_special(y) = Halide::cast<bool>(false);
    is_special(y) = is_special(y) || y % 3 + RDom(0, 1) == 0;
    place.where(!is_special(y) || place % 2 == 0);
    result(y) = 0;
    result(y) += place * (y + 1);
    is_special.compute_at(result, y);
  }

  Var y{"y"};
  RDom place{0, 10, "place"};
  Func is_special{"is_special"}, result{"result"};
};

TEST(UnswitchConsumers, ChangesNoResult) {
  SomeSums as_written, unswitched;
  Pipeline pipeline(unswitched.result);
  pipeline.add_custom_lowering_pass(new UnswitchConsumers(unswitched.is_special.name()));
  const Buffer<int> expected = as_written.result.realize({20}), result = pipeline.realize({20});
  for (int y = 0; y < 20; ++y) {
    EXPECT_EQ(result(y), expected(y)) << y;
    EXPECT_EQ(result(y), (y % 3 == 0 ? 20 : 45) * (y + 1)) << y;
  }
}

TEST(UnswitchConsumers, TakesTheTestOutOfTheLoop) {
  SomeSums sums;
  const int loops_before = CountOf(Lowered(sums.result, {}), "for (result.s1.place");
  SomeSums others;
  Pipeline pipeline(others.result);
  pipeline.add_custom_lowering_pass(new UnswitchConsumers(others.is_special.name()));
  const std::string text = Lowered(pipeline, {});
  EXPECT_GT(CountOf(text, "for (" + others.result.name() + ".s1.place"), loops_before) << text;
}

TEST(UnswitchConsumers, FailsIfNothingIsFound) {
  SomeSums sums;
  Pipeline pipeline(sums.result);
  pipeline.add_custom_lowering_pass(new UnswitchConsumers("nobody"));
  EXPECT_THROW(Lowered(pipeline, {}), Halide::CompileError);
}

// Sums over a window for each i, from `low` to `high` along both axes; either may lie outside the map or be reversed. A vector
// of sums at a time, as the forward searches channels.
struct WindowSums {
  WindowSums() {
    const Halide::Expr at = Halide::unsafe_promise_clamped(i % low.dim(0).extent(), 0, low.dim(0).extent() - 1);
    window.where(window.y >= low(at) && window.y < high(at));
    window.where(window.x >= low(at) && window.x < high(at));
    result(lane, i) = 0;
    result(lane, i) += lane + window.x + 100 * window.y;
    result.update().reorder(lane, window.x, window.y).vectorize(lane, 4);
    constexpr int kLows[] = {0, 3, -5, 6, 9, 4, 2}, kHighs[] = {7, 5, 2, 30, 20, 4, 1};
    for (int place = 0; place < 7; ++place) {
      low_values(place) = kLows[place];
      high_values(place) = kHighs[place];
    }
    low.set(low_values);
    high.set(high_values);
  }

  Var i{"i"}, lane{"lane"};
  RDom window{0, 8, 0, 9, "window"};
  Buffer<int> low_values{7}, high_values{7};
  ImageParam low{Halide::Int(32), 1, "low"}, high{Halide::Int(32), 1, "high"};
  Func result{"result"};
};

TEST(TrimLoops, ChangesNoResult) {
  WindowSums as_written, trimmed;
  Pipeline pipeline(trimmed.result);
  pipeline.add_custom_lowering_pass(new TrimLoops({"window$y"}));
  const Buffer<int> expected = as_written.result.realize({4, 7}), result = pipeline.realize({4, 7});
  for (int i = 0; i < 7; ++i) EXPECT_EQ(result(3, i), expected(3, i)) << i;
  EXPECT_EQ(result(0, 1), 4 * (3 + 4) / 2 + 2 * 100 * (3 + 4)) << "two by two pixels";
}

TEST(TrimLoops, LeavesNoTestInTheLoops) {
  WindowSums sums;
  EXPECT_GT(CountOf(Lowered(sums.result, {sums.low, sums.high}), " if ("), 0) << "Halide trims both loops by itself now";
  WindowSums others;
  Pipeline pipeline(others.result);
  pipeline.add_custom_lowering_pass(new TrimLoops({"window$y"}));
  const std::string text = Lowered(pipeline, {others.low, others.high});
  EXPECT_EQ(CountOf(text, " if ("), 0) << text;
}

// A loop over i of 8 rounds that tests i against an element of a buffer.
struct TestedLoop {
  Halide::Expr i = Halide::Internal::Variable::make(Halide::Int(32), "i"),
               n = Halide::Internal::Variable::make(Halide::Int(32), "n");
  Halide::Internal::Stmt store =
      Halide::Internal::Store::make("sums", 1, i, Halide::Parameter(), Halide::Internal::const_true(), {});
  Halide::Expr element =
      Halide::Internal::Load::make(Halide::Int(32), "ends", 0, {}, Halide::Parameter(), Halide::Internal::const_true(), {});

  Halide::Internal::Stmt Trimmed(const Halide::Internal::Stmt& body) const {
    return TrimLoops({"i"}).mutate(Halide::Internal::For::make("i", 0, 8, Halide::Internal::ForType::Serial,
                                                               Halide::Partition::Auto, Halide::DeviceAPI::None, body));
  }
};

TEST(TrimLoops, TrimsAPlainLoop) {
  const TestedLoop loop;
  EXPECT_NO_THROW(loop.Trimmed(Halide::Internal::IfThenElse::make(loop.i < loop.element, loop.store)));
}

TEST(TrimLoops, ReadsNoEndOutOfItsGuard) {
  const TestedLoop loop;
  const auto inner = Halide::Internal::IfThenElse::make(loop.i < loop.element, loop.store);
  EXPECT_THROW(loop.Trimmed(Halide::Internal::IfThenElse::make(loop.n > 0, inner)), Halide::CompileError);
}

TEST(TrimLoops, TakesNoEndThatTheLoopWrites) {
  const TestedLoop loop;
  const auto change = Halide::Internal::Store::make("ends", 0, 0, Halide::Parameter(), Halide::Internal::const_true(), {});
  const auto body = Halide::Internal::Block::make(loop.store, change);
  EXPECT_THROW(loop.Trimmed(Halide::Internal::IfThenElse::make(loop.i < loop.element, body)), Halide::CompileError);
}

TEST(TrimLoops, FailsIfALoopHasNoBound) {
  WindowSums sums;
  Pipeline pipeline(sums.result);
  pipeline.add_custom_lowering_pass(new TrimLoops({".s0.i"}));
  EXPECT_THROW(Lowered(pipeline, {sums.low, sums.high}), Halide::CompileError);
}

}  // namespace
}  // namespace roipool::schedules
