// What is tuned: rows that a request asks for, and what may be tried for each.
#ifndef ROIPOOL_CLI_TUNE_PROBLEMS_H_
#define ROIPOOL_CLI_TUNE_PROBLEMS_H_

#include <vector>

#include "tune.h"

namespace roipool::cli {

/// Shapes of one class share a problem, for each type.
std::vector<Problem> ProblemsOf(const TuneRequest& request);

/// What may be tried for a problem: schedules that take all of its shapes. Throws UserError if only the reference does.
CandidateSpace SpaceOf(const Problem& problem);

/// How many CPUs a call may use by default.
int UsableThreads();

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_PROBLEMS_H_
