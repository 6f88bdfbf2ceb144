// The space of candidates, and the names of their kernels.
#include "candidate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roipool::cli {
namespace {

CandidateSpace MakeSpace() {
  CandidateSpace space;
  space.AddSchedule("rows", {{"step", true, 2, {1, 2, 4}}, {"step_size", true, 8, {4, 8}}, {"distance", false, 3, {0, 3, 6}}});
  space.AddSchedule("rows_apart", {{"step", true, 1, {1, 2}}});
  return space;
}

TEST(CandidateSpace, HasEverySizeOnce) { EXPECT_EQ(MakeSpace().size(), 3 * 2 * 3 + 2); }

TEST(CandidateSpace, KernelNamesAndCandidatesAreTheSame) {
  const CandidateSpace space = MakeSpace();
  for (const auto& [schedule, knobs] : space.schedules()) {
    Candidate candidate = space.Initial(schedule);
    EXPECT_EQ(space.KernelSchedule(candidate), schedule);
    EXPECT_EQ(space.FromKernel(schedule), candidate);
    for (const CandidateSpace::Knob& knob : knobs) {
      candidate.knobs[knob.name] = knob.values.back();
      EXPECT_EQ(space.CompiledPart(candidate).knobs.count(knob.name), knob.is_compiled ? 1u : 0u);
    }
    Candidate read_back = space.FromKernel(space.KernelSchedule(candidate));
    for (const CandidateSpace::Knob& knob : knobs) {
      EXPECT_EQ(read_back.knobs[knob.name], knob.is_compiled ? knob.values.back() : knob.initial) << knob.name;
    }
  }
  EXPECT_EQ(space.FromKernel("elsewhere"), space.Initial("rows")) << "a schedule that is not searched";
}

TEST(CandidateSpace, OfTheLibraryHoldsItsKnobs) {
  const CandidateSpace space = CandidateSpace::Of(Operator::kRoiPoolGrad, 64);
  EXPECT_EQ(space.schedules().count("reference"), 0u);
  for (const auto& [schedule, knobs] : space.schedules()) {
    const auto block = std::find_if(knobs.begin(), knobs.end(), [](const auto& knob) { return knob.name == "channel_block"; });
    ASSERT_NE(block, knobs.end()) << schedule;
    EXPECT_EQ(block->values.front(), 0);
    EXPECT_EQ(block->values.back(), 64) << "no block is larger than the shape";
    for (const CandidateSpace::Knob& knob : knobs) {
      EXPECT_TRUE(std::is_sorted(knob.values.begin(), knob.values.end()));
      EXPECT_TRUE(std::binary_search(knob.values.begin(), knob.values.end(), knob.initial)) << knob.name;
    }
  }
}

}  // namespace
}  // namespace roipool::cli
