// Which candidates to try next.
#ifndef ROIPOOL_CLI_TUNE_SEARCH_H_
#define ROIPOOL_CLI_TUNE_SEARCH_H_

#include <functional>
#include <random>
#include <set>
#include <vector>

#include "candidate.h"

namespace roipool::cli {

/// Proposes batches: a small space as a whole; of a large one first the initial values and a random sample, then mostly the
/// neighbours of the best so far, one knob away, and some that are further off. Nothing is proposed twice.
class Search {
 public:
  Search(const CandidateSpace& space, uint32_t seed) : space_(space), random_(seed) {}

  /// These are known already.
  void MarkTried(const Candidate& candidate) { tried_.insert(candidate); }
  /// At most `count` candidates; empty when the space is exhausted.
  std::vector<Candidate> Propose(const Candidate& best, size_t count);

 private:
  void AddUntried(const Candidate& candidate, size_t count, std::vector<Candidate>* batch);
  std::vector<Candidate> Neighbours(const Candidate& best);
  Candidate RandomCandidate(const Candidate& best);

  const CandidateSpace& space_;
  std::mt19937 random_;
  std::set<Candidate> tried_;
  bool has_begun_ = false;
};

/// Successive halving: measures all with few rounds, keeps the better half, measures that with twice as many, and so on.
/// measure(candidates, rounds) gives one number for each, smaller is better. Returns the indices of `candidates`, best first;
/// the last ones dropped first.
std::vector<size_t> HalveSuccessively(
    size_t count, int first_rounds, const std::function<std::vector<double>(const std::vector<size_t>&, int rounds)>& measure);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_SEARCH_H_
