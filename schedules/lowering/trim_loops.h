// A lowering pass: loops run only over where the conditions inside them hold.
#ifndef ROIPOOL_SCHEDULES_LOWERING_TRIM_LOOPS_H_
#define ROIPOOL_SCHEDULES_LOWERING_TRIM_LOOPS_H_

#include <string>
#include <utility>
#include <vector>

#include "Halide.h"

namespace roipool::schedules {

/// Where all that a loop does is under conditions like `low <= i && i < high`, with ends that are the same for all of its
/// rounds, it becomes a loop from low to high without them. Halide does this itself for an innermost loop of an RDom with
/// where(), but not for one around it whose ends it reads at a promised place. Nothing that the loop itself writes is such
/// an end, and it must be readable even where the loop has no round. Serial loops alone. Loops are named by the end of their
/// names; generation fails if one of them has no such condition anywhere.
class TrimLoops : public Halide::Internal::IRMutator {
 public:
  explicit TrimLoops(std::vector<std::string> loops) : loops_(std::move(loops)) {}

  using Halide::Internal::IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& statement) override;

 private:
  using Halide::Internal::IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;

  std::vector<std::string> loops_;
  int depth_ = 0;
  std::vector<std::string> trimmed_;
};

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_LOWERING_TRIM_LOOPS_H_
