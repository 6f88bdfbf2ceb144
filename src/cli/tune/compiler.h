// Candidates become libraries that a process can load.
#ifndef ROIPOOL_CLI_TUNE_COMPILER_H_
#define ROIPOOL_CLI_TUNE_COMPILER_H_

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "candidate.h"

namespace roipool::cli {

struct CompilerSettings {
  std::filesystem::path generators;  ///< The build's generators, which are what its own kernels were compiled with.
  std::filesystem::path folder;      ///< For libraries and logs.
  Operator op = Operator::kRoiPoolGrad;
  DataType type = DataType::kFloat32;
  Isa isa = Isa::kBaseline;
  double seconds_for_each = 60;  ///< A compilation that takes longer is ended.
};

/// What became of a candidate's kernel.
struct CompiledKernel {
  std::filesystem::path library;  ///< Empty if it did not compile.
  std::string symbol;
  std::string problem;
};

class Compiler {
 public:
  explicit Compiler(CompilerSettings settings);

  /// Compiles the kernels of the candidates that are not compiled yet, on all CPUs. `is_stopped` is asked now and then; what
  /// has not begun by then is left out.
  void Compile(const CandidateSpace& space, const std::vector<Candidate>& candidates, const std::function<bool()>& is_stopped);
  /// Has one of Halide's autoschedulers (Mullapudi2016, Adams2019, Li2018) make a kernel of the algorithm. Throws Interrupted
  /// once `is_stopped` says yes.
  CompiledKernel CompileAutoscheduled(const std::string& autoscheduler, const std::function<bool()>& is_stopped) const;
  /// Null if it was left out.
  const CompiledKernel* Find(const CandidateSpace& space, const Candidate& candidate) const;

 private:
  CompilerSettings settings_;
  std::map<Candidate, CompiledKernel> kernels_;  // By CompiledPart().
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_COMPILER_H_
