// An operator on given shapes, run with kernels that are no part of the library.
#ifndef ROIPOOL_CLI_TUNE_WORKER_PROBLEM_H_
#define ROIPOOL_CLI_TUNE_WORKER_PROBLEM_H_

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernel_registry.h"
#include "worker_call.h"

namespace roipool::cli {

struct StartingPoint {
  std::string schedule;
  std::map<std::string, int> knobs;
  std::string source;
};

class WorkerProblem {
 public:
  /// `timed` are the shapes whose time counts; results are also checked on shapes at the edges of what kernels do.
  WorkerProblem(Operator op, DataType type, Isa isa, int32_t threads, const std::vector<Shape>& timed);

  /// What calls of the timed shapes would use with the rows of a file, or, if it is empty, without: the first that takes the
  /// largest of them.
  StartingPoint Start(const std::string& tuning_file) const;
  /// Loads a candidate of a schedule (without knobs) under `id` and compares its results with the reference's, bit by bit,
  /// on the timed shapes and, if wanted, on those at the edges. Returns what is wrong, or nothing; then it can be timed.
  std::string Load(int id, const std::string& library, const std::string& symbol, const std::string& schedule,
                   const std::map<std::string, int>& knobs, bool checks_edges);
  /// Seconds of each call: [shape][candidate][round]. The candidates take turns.
  std::vector<std::vector<std::vector<double>>> Time(const std::vector<int>& ids, int rounds);

 private:
  struct Loaded {
    internal::Kernel kernel = {};
    std::string symbol;
    internal::CallKnobs knobs;
  };

  std::string ProblemOf(const Loaded& candidate, bool checks_edges) const;

  Operator op_;
  DataType type_;
  Isa isa_;
  int32_t threads_;
  std::vector<std::unique_ptr<WorkerCall>> timed_, edges_;
  std::map<int, std::unique_ptr<Loaded>> loaded_;  // Only those that passed their checks.
};

std::unique_ptr<WorkerProblem> MakeWorkerProblem(const nlohmann::json& request);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_WORKER_PROBLEM_H_
