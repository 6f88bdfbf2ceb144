// What was found about each candidate, a line each, so that an interrupted run can go on.
#ifndef ROIPOOL_CLI_TUNE_JOURNAL_H_
#define ROIPOOL_CLI_TUNE_JOURNAL_H_

#include <filesystem>
#include <string>
#include <vector>

#include "candidate.h"
#include "origin.h"
#include "worker_client.h"

namespace roipool::cli {

struct Finding {
  Candidate candidate;
  std::string problem;     ///< Why it was rejected; empty if it was measured.
  double relative = 0;     ///< Its time as a share of the start's.
  double nanoseconds = 0;  ///< For each bin; the geometric mean over the shapes.
};

class Journal {
 public:
  /// Reads the findings of an earlier run on the same problem from the same start and origin; another run's are thrown away.
  /// Throws UserError.
  Journal(std::filesystem::path path, const Problem& problem, const Candidate& start, const Origin& origin);

  /// One for each candidate.
  const std::vector<Finding>& findings() const { return findings_; }
  /// How many of them come from earlier runs.
  size_t resumed() const { return resumed_; }
  /// A later finding about a candidate takes the place of an earlier one, but no time that of a problem. Throws UserError.
  void Add(const Finding& finding);

 private:
  void Keep(const Finding& finding);

  std::filesystem::path path_;
  std::vector<Finding> findings_;
  size_t resumed_ = 0;
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_JOURNAL_H_
