#include "search.h"

#include <algorithm>
#include <numeric>

namespace roipool::cli {
namespace {

constexpr double kSmallSpace = 256;

// Calls visit for every combination of the knobs from `next` on.
template <typename Visit>
void ForEach(const std::vector<CandidateSpace::Knob>& knobs, size_t next, Candidate* candidate, const Visit& visit) {
  if (next == knobs.size()) return visit(*candidate);
  for (const int value : knobs[next].values) {
    candidate->knobs[knobs[next].name] = value;
    ForEach(knobs, next + 1, candidate, visit);
  }
}

}  // namespace

void Search::AddUntried(const Candidate& candidate, size_t count, std::vector<Candidate>* batch) {
  if (batch->size() < count && tried_.insert(candidate).second) batch->push_back(candidate);
}

std::vector<Candidate> Search::Neighbours(const Candidate& best) {
  std::vector<Candidate> neighbours;
  for (const CandidateSpace::Knob& knob : space_.KnobsOf(best.schedule)) {
    const auto at = std::lower_bound(knob.values.begin(), knob.values.end(), best.knobs.at(knob.name));
    const auto add = [&](int value) {
      neighbours.push_back(best);
      neighbours.back().knobs[knob.name] = value;
    };
    if (at != knob.values.begin()) add(*(at - 1));
    if (at != knob.values.end() && *at != best.knobs.at(knob.name)) add(*at);
    if (at != knob.values.end() && at + 1 != knob.values.end()) add(*(at + 1));
  }
  std::shuffle(neighbours.begin(), neighbours.end(), random_);
  return neighbours;
}

// Half of the knobs of a call anew, and a quarter of those that take a compilation; the others as in the best so far.
Candidate Search::RandomCandidate(const Candidate& best) {
  auto schedule = space_.schedules().begin();
  std::advance(schedule, random_() % space_.schedules().size());
  Candidate candidate = schedule->first == best.schedule ? best : space_.Initial(schedule->first);
  for (const CandidateSpace::Knob& knob : schedule->second) {
    if (random_() % (knob.is_compiled ? 4 : 2) == 0) candidate.knobs[knob.name] = knob.values[random_() % knob.values.size()];
  }
  return candidate;
}

std::vector<Candidate> Search::Propose(const Candidate& best, size_t count) {
  std::vector<Candidate> batch;
  if (space_.size() <= kSmallSpace) {
    for (const auto& [schedule, knobs] : space_.schedules()) {
      Candidate candidate{schedule, {}};
      ForEach(knobs, 0, &candidate, [&](const Candidate& each) { AddUntried(each, count, &batch); });
    }
    return batch;
  }
  if (!has_begun_) {
    has_begun_ = true;
    for (const auto& [schedule, knobs] : space_.schedules()) AddUntried(space_.Initial(schedule), count, &batch);
  } else {
    for (const Candidate& neighbour : Neighbours(best)) AddUntried(neighbour, count * 3 / 4, &batch);
  }
  // Random candidates repeat; a space where nearly all are tried counts as exhausted.
  for (size_t attempt = 0; attempt < 20 * count && batch.size() < count; ++attempt)
    AddUntried(RandomCandidate(best), count, &batch);
  return batch;
}

std::vector<size_t> HalveSuccessively(
    size_t count, int first_rounds, const std::function<std::vector<double>(const std::vector<size_t>&, int rounds)>& measure) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  size_t left = count;
  // Even one alone is measured.
  for (int rounds = first_rounds; left > 1 || (left == 1 && count == 1); rounds *= 2) {
    const std::vector<size_t> measured(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(left));
    const std::vector<double> times = measure(measured, rounds);
    if (times.size() != measured.size()) break;  // Interrupted.
    std::vector<size_t> by_time(left);
    std::iota(by_time.begin(), by_time.end(), size_t{0});
    std::stable_sort(by_time.begin(), by_time.end(), [&](size_t a, size_t b) { return times[a] < times[b]; });
    for (size_t i = 0; i < left; ++i) order[i] = measured[by_time[i]];
    left /= 2;
  }
  return order;
}

}  // namespace roipool::cli
