// The search for one problem.
#ifndef ROIPOOL_CLI_TUNE_TUNER_H_
#define ROIPOOL_CLI_TUNE_TUNER_H_

#include <optional>

#include "origin.h"
#include "progress.h"
#include "tune.h"

namespace roipool::cli {

/// Searches for `seconds`, then confirms what was found. `row` is what the file of rows says so far: it has the first turn.
/// Throws Interrupted if that came before the start's time was known.
TuneResult TuneProblem(const TuneRequest& request, const Problem& problem, double seconds, const Origin& origin,
                       const std::optional<Candidate>& row, Progress* progress);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_TUNER_H_
