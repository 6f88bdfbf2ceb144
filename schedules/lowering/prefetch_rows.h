// Prefetches rows that are reached through an index, which Halide 21's own prefetch() cannot do: it would fetch the whole
// array.
#ifndef ROIPOOL_SCHEDULES_LOWERING_PREFETCH_ROWS_H_
#define ROIPOOL_SCHEDULES_LOWERING_PREFETCH_ROWS_H_

#include <string>
#include <vector>

#include "Halide.h"

namespace roipool::schedules {

/// What PrefetchRows needs to know of the loops and buffers that it works on.
struct PrefetchPlan {
  /// Ends of the names of three nested loops: positions, groups of channels within one, steps over the bins of a group.
  std::string position_loop, group_loop, step_loop;
  struct Row {
    std::string buffer;  ///< Its dimensions are (bin, channel of the group, group, roi).
    Halide::Type type;
  };
  std::vector<Row> rows;
  std::string order;      ///< The buffer that names the roi of each position.
  Halide::Expr distance;  ///< In positions, at least 0.
};

/// Into each step over the bins, one prefetch per buffer of as many elements as the step has stores, from where the same step
/// is `distance` positions later. The prefetches are spread over the step, since a burst of them fills the core's miss buffers
/// and holds up the loads behind it. It takes the rows of a group to be adjacent; where they are not, the prefetches are
/// useless and harmless. Generation fails if no such loop is found.
class PrefetchRows : public Halide::Internal::IRMutator {
 public:
  explicit PrefetchRows(PrefetchPlan plan) : plan_(std::move(plan)) {}

  using Halide::Internal::IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& statement) override;

 private:
  using Halide::Internal::IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt Prefetch(const PrefetchPlan::Row& row, const Halide::Expr& first_element) const;

  PrefetchPlan plan_;
  Halide::Expr later_position_, group_;  // Defined inside the loops of those names.
  int depth_ = 0, matches_ = 0;
};

}  // namespace roipool::schedules

#endif  // ROIPOOL_SCHEDULES_LOWERING_PREFETCH_ROWS_H_
