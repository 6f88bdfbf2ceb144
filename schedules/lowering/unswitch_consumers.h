// Takes a flag's test out of the loops that it guards.
#ifndef ROIPOOL_SCHEDULES_LOWERING_UNSWITCH_CONSUMERS_H_
#define ROIPOOL_SCHEDULES_LOWERING_UNSWITCH_CONSUMERS_H_

#include <string>
#include <vector>

#include "Halide.h"

namespace roipool::schedules {

/// Where the consumers of the Func `flag` hold `if (!flag(...) || condition) statement`, they become two versions of
/// themselves: without the test, for when it holds, and as they were. The meaning is the same for any code; a loop gains if
/// `flag` is computed outside it. Generation fails if nothing is found.
class UnswitchConsumers : public Halide::Internal::IRMutator {
 public:
  explicit UnswitchConsumers(std::string flag) : flag_(std::move(flag)) {}

  using Halide::Internal::IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& statement) override;

 private:
  using Halide::Internal::IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::ProducerConsumer* node) override;

  std::string flag_;
  int depth_ = 0, matches_ = 0;
};

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_LOWERING_UNSWITCH_CONSUMERS_H_
