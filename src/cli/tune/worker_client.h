// The worker as the tuner sees it: started again whenever it hangs or crashes.
#ifndef ROIPOOL_CLI_TUNE_WORKER_CLIENT_H_
#define ROIPOOL_CLI_TUNE_WORKER_CLIENT_H_

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "candidate.h"
#include "child_process.h"
#include "compiler.h"
#include "shapes.h"

namespace roipool::cli {

struct Problem {
  Operator op = Operator::kRoiPoolGrad;
  DataType type = DataType::kFloat32;
  Isa isa = Isa::kBaseline;
  int threads = 1;
  std::string shape_class;
  std::vector<Shape> shapes;
};

/// The fields of a tuned row that say what it is for.
std::string RowKey(const Problem& problem);

struct Start {
  std::string schedule;  ///< With knobs.
  std::map<std::string, int> knobs;
  std::string source;
};

/// [shape][candidate][round]
using Seconds = std::vector<std::vector<std::vector<double>>>;

struct Timing {
  std::optional<Seconds> seconds;
  std::string problem;  ///< Why there are none: what one of the candidates did, or all together.
};

class WorkerClient {
 public:
  /// `is_stopped` is asked some times a second while the worker works; once it says yes, every call throws Interrupted.
  WorkerClient(std::filesystem::path program, std::filesystem::path log, Problem problem, double seconds_for_each,
               std::function<bool()> is_stopped);

  /// How long the start takes for one call of every shape; time limits follow from it.
  void SetCallSeconds(double seconds) { call_seconds_ = seconds; }
  /// What the library uses today. Throws UserError for bad rows.
  Start FindStart(const std::string& tuning_file);
  /// Loads and checks; returns what is wrong with the candidate, or nothing and its id.
  std::string Load(const Candidate& candidate, const CompiledKernel& kernel, int* id, bool checks_edges = true);
  /// Without times if one of them hangs, crashes, fails, or cannot be loaded once more after another did.
  Timing Time(const std::vector<int>& ids, int rounds);

 private:
  struct Loaded {
    Candidate candidate;
    CompiledKernel kernel;
    bool checks_edges;
  };
  struct Answer {
    nlohmann::json json;  ///< Null if there was none: the worker is gone.
    std::string problem;  ///< Empty if the request was fulfilled.
  };

  double SecondsFor(double calls) const;
  // Starts a worker if there is none. Throws Interrupted.
  Answer Ask(const nlohmann::json& request, double seconds);
  Answer AskThisOne(const nlohmann::json& request, double seconds);
  // Whatever it does or says from now on: nobody listens.
  void Drop();
  std::string LoadIntoWorker(int id);
  void Restart();
  nlohmann::json LoadRequest(int id) const;

  std::filesystem::path program_, log_;
  Problem problem_;
  double seconds_for_each_;
  std::function<bool()> is_stopped_;
  std::unique_ptr<ChildProcess> process_;  // Null after Drop().
  double call_seconds_ = 0;
  std::vector<Loaded> loaded_;  // By id.
  std::set<int> in_worker_;     // What can be timed at once: the others are gone with an earlier worker, or were rejected.
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_WORKER_CLIENT_H_
