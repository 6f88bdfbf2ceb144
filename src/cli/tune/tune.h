// `roipool tune`: searches, measures, writes rows.
#ifndef ROIPOOL_CLI_TUNE_TUNE_H_
#define ROIPOOL_CLI_TUNE_TUNE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "journal.h"
#include "worker_client.h"

namespace roipool::cli {

struct TuneRequest {
  Operator op = Operator::kRoiPoolGrad;
  std::vector<DataType> types;
  std::vector<Shape> shapes;
  Isa isa = Isa::kBaseline;
  int threads = 1;
  double budget_seconds = 0;
  size_t most_candidates = 0;    ///< Of one row; 0: as many as the time allows.
  double seconds_for_each = 10;  ///< What a candidate gets beside 20 times what the start takes.
  std::string from;              ///< Rows to begin with; empty: the library's own.
  std::string output;            ///< The rows go here.
  std::filesystem::path folder;  ///< Kernels, logs, journals, pictures.
  std::filesystem::path generators, worker;
  bool tries_autoschedulers = false;  ///< Beside the result, not as candidates for rows.
  bool begins_anew = false;           ///< Journals of earlier runs are not read.
};

/// What one of Halide's autoschedulers makes of the algorithm.
struct Autoscheduled {
  std::string name;
  double nanoseconds = 0;  ///< For each bin; 0 if it could not be timed on these shapes.
  std::string problem;     ///< Why it cannot be used; empty if it can.
};

struct TuneResult {
  Problem problem;
  Candidate start, best;
  std::vector<Finding> findings;  ///< The start's is the first.
  size_t resumed = 0;             ///< How many of them come from earlier runs.
  double start_nanoseconds = 0, best_nanoseconds = 0;
  double ratio = 1;      ///< Of the best's time and the start's, measured once more, in turns.
  std::string row_kept;  ///< Why the file keeps a row that is not the best's; empty if it does not.
  std::filesystem::path picture;
  std::vector<Autoscheduled> autoscheduled;
};

/// Tunes one problem after the other, each with its share of the time that is left. Ctrl-C ends the search early; what was
/// found by then is kept.
std::vector<TuneResult> Tune(const TuneRequest& request);

/// Whether the row's kernel is none of this library's, so that the row works only in a build that compiles it.
bool NeedsBuild(const TuneResult& result);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_TUNE_H_
