// One way to run an operator: a schedule and a value for each of its knobs.
#ifndef ROIPOOL_CLI_TUNE_CANDIDATE_H_
#define ROIPOOL_CLI_TUNE_CANDIDATE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "roipool/kernels.h"

namespace roipool::cli {

struct Candidate {
  std::string schedule;              ///< Without knobs.
  std::map<std::string, int> knobs;  ///< By name: those of the schedule and those of a call.

  auto operator<=>(const Candidate&) const = default;
};

/// E.g. "cpu_channel_blocks bins_per_step=2 channel_block=4"
std::string Describe(const Candidate& candidate);

/// What may be tried for one operator.
class CandidateSpace {
 public:
  struct Knob {
    std::string name;
    bool is_compiled;  ///< Whether another value is another kernel.
    int initial;
    std::vector<int> values;  ///< Ascending; the initial value is among them.
  };

  /// All schedules of `op` in this library but `reference`, which is what candidates are compared with, unless it is the only
  /// one; values up to `most_channels` where larger ones mean the same.
  static CandidateSpace Of(Operator op, int64_t most_channels);

  void AddSchedule(const std::string& schedule, std::vector<Knob> knobs) { schedules_[schedule] = std::move(knobs); }
  void DropSchedule(const std::string& schedule) { schedules_.erase(schedule); }
  const std::map<std::string, std::vector<Knob>>& schedules() const { return schedules_; }
  const std::vector<Knob>& KnobsOf(const std::string& schedule) const { return schedules_.at(schedule); }
  /// How many candidates there are.
  double size() const;

  /// Every knob at its initial value.
  Candidate Initial(const std::string& schedule) const;
  /// From a kernel's schedule with its knobs, e.g. "cpu_channel_blocks_bins_per_step4"; the others stay initial.
  Candidate FromKernel(const std::string& schedule_with_knobs) const;
  /// The same the other way round.
  std::string KernelSchedule(const Candidate& candidate) const;
  /// The candidate with nothing but what makes another kernel.
  Candidate CompiledPart(const Candidate& candidate) const;

 private:
  std::map<std::string, std::vector<Knob>> schedules_;
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_CANDIDATE_H_
