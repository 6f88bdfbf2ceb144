// The search finds what is good without trying everything, and halving keeps the best.
#include "search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace roipool::cli {
namespace {

const std::vector<int> kLadder = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

CandidateSpace LargeSpace() {
  CandidateSpace space;
  space.AddSchedule("s", {{"a", true, 16, {1, 2, 3, 4, 6, 8, 12, 16}},
                          {"b", true, 1, {1, 2, 3, 4}},
                          {"c", false, 64, kLadder},
                          {"d", false, 0, kLadder},
                          {"e", false, 1, {1, 2, 3, 4}}});
  return space;
}

// Best at a = 2, c = 4, d = 3, e = 4, far from the initial values; b does not matter.
double TimeOf(const Candidate& candidate) {
  const auto off = [&](const char* knob, double best) {
    return std::abs(std::log2((candidate.knobs.at(knob) + 1) / (best + 1)));
  };
  return 1 + 0.2 * off("a", 2) + 0.15 * off("c", 4) + 0.4 * off("d", 3) + 0.5 * off("e", 4);
}

TEST(Search, FindsTheBestOfALargeSpaceFromAPoorStart) {
  const CandidateSpace space = LargeSpace();
  ASSERT_GT(space.size(), 20000);
  for (const uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
    Search search(space, seed);
    Candidate best = space.Initial("s");
    ASSERT_GT(TimeOf(best), 2.5);
    int tried = 0;
    for (int batch = 0; batch < 12; ++batch) {
      for (const Candidate& candidate : search.Propose(best, 12)) {
        ++tried;
        if (TimeOf(candidate) < TimeOf(best)) best = candidate;
      }
    }
    EXPECT_LE(TimeOf(best), 1.05) << Describe(best) << " with seed " << seed;
    EXPECT_LE(tried, 144);
  }
}

TEST(Search, ProposesNothingTwice) {
  const CandidateSpace space = LargeSpace();
  Search search(space, 1);
  std::set<Candidate> seen = {space.Initial("s")};
  search.MarkTried(space.Initial("s"));
  for (int batch = 0; batch < 30; ++batch) {
    for (const Candidate& candidate : search.Propose(space.Initial("s"), 12)) EXPECT_TRUE(seen.insert(candidate).second);
  }
}

TEST(Search, TriesAllOfASmallSpace) {
  CandidateSpace space;
  space.AddSchedule("s", {{"a", true, 1, {1, 2, 3}}, {"b", false, 0, {0, 1, 2, 4}}});
  Search search(space, 1);
  size_t tried = 0;
  while (true) {
    const auto batch = search.Propose(space.Initial("s"), 5);
    if (batch.empty()) break;
    tried += batch.size();
  }
  EXPECT_EQ(tried, 12u);
}

TEST(HalveSuccessively, KeepsTheBestAndDoublesTheRounds) {
  const std::vector<double> times = {5, 3, 9, 1, 7, 2, 8, 4};
  std::vector<std::pair<size_t, int>> calls;
  const auto order = HalveSuccessively(times.size(), 3, [&](const std::vector<size_t>& which, int rounds) {
    calls.emplace_back(which.size(), rounds);
    std::vector<double> measured;
    for (const size_t index : which) measured.push_back(times[index]);
    return measured;
  });
  EXPECT_EQ(order.front(), 3u);
  EXPECT_EQ(order[1], 5u);
  EXPECT_EQ(order.back(), 2u);
  EXPECT_EQ(calls, (std::vector<std::pair<size_t, int>>{{8, 3}, {4, 6}, {2, 12}}));
}

// 14 candidates leave batches of 12 and of 1 beside the start.
TEST(HalveSuccessively, MeasuresOneCandidateOnce) {
  std::vector<std::pair<size_t, int>> calls;
  const auto order = HalveSuccessively(1, 3, [&](const std::vector<size_t>& which, int rounds) {
    calls.emplace_back(which.size(), rounds);
    return std::vector<double>{0.5};
  });
  EXPECT_EQ(order, std::vector<size_t>{0});
  EXPECT_EQ(calls, (std::vector<std::pair<size_t, int>>{{1, 3}}));
  HalveSuccessively(0, 3, [](const auto&, int) -> std::vector<double> {
    ADD_FAILURE() << "there is nothing to measure";
    return {};
  });
}

TEST(HalveSuccessively, EndsWhereMeasuringEnds) {
  const auto order = HalveSuccessively(4, 3, [](const auto&, int) { return std::vector<double>(); });
  EXPECT_EQ(order.size(), 4u);
}

}  // namespace
}  // namespace roipool::cli
