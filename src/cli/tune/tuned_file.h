// A file of tuned rows as the tuner keeps it: every line that it does not replace stays as it is.
#ifndef ROIPOOL_CLI_TUNE_TUNED_FILE_H_
#define ROIPOOL_CLI_TUNE_TUNED_FILE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "candidate.h"
#include "worker_client.h"

namespace roipool::cli {

/// How a row came to be; goes behind its #.
struct Provenance {
  std::string cpu, date, commit, shapes;
  int threads = 1;
  double nanoseconds_per_bin = 0;  ///< The geometric mean over the shapes.
};

class TunedFile {
 public:
  /// An absent file is an empty one. Throws UserError if it cannot be read.
  explicit TunedFile(const std::string& path);

  /// Puts a row in the place of the one with the same target, operator, type and class. A row that says the same already stays
  /// with its provenance. Returns whether anything changed.
  bool Put(const Problem& problem, const Candidate& candidate, const Provenance& provenance);
  /// What the row with the same target, operator, type and class says; nothing if there is none.
  std::optional<Candidate> Find(const Problem& problem) const;
  /// Whole or not at all. Throws UserError.
  void Save() const;

 private:
  std::string path_;
  std::vector<std::string> lines_;
};

enum class PutResult { kPut, kSame, kOtherCameMeanwhile };

/// Puts a row into the file as it is by now. Programs that do so at once take turns, by a lock on a file beside it, NAME.lock,
/// so that no row is lost. A row for the same problem that is no longer what it was `before` stays, unless it says the same.
/// Throws UserError.
PutResult PutRow(const std::string& path, const Problem& problem, const Candidate& candidate, const Provenance& provenance,
                 const std::optional<Candidate>& before);

/// The row without its provenance.
std::string FormatRow(const Problem& problem, const Candidate& candidate);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_TUNED_FILE_H_
