// Tuned rows: those compiled in, and the user's.
#ifndef ROIPOOL_RUNTIME_TUNING_H_
#define ROIPOOL_RUNTIME_TUNING_H_

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "roipool/status.h"
#include "roipool/tuning.h"
#include "tuned_row.h"

namespace roipool {

class Tuning {
 public:
  std::vector<internal::TunedRow> rows;
};

namespace internal {

/// Reads `path`; errors name `function`, and `argument` for a file that cannot be read.
Status ReadTuning(const char* function, const char* argument, const char* path, std::shared_ptr<const Tuning>* tuning) noexcept;

/// The rows of the file that ROIPOOL_TUNING names; null if it is unset or empty. Read once, and again when the variable or the
/// file has changed.
Status TuningOfEnvironment(const char* function, std::shared_ptr<const Tuning>* tuning) noexcept;

/// A call as rows see it.
struct TunedCall {
  Isa isa;
  Operator op;
  DataType type;
  ShapeClass shape_class;
};

/// A row's values, from wherever they are.
struct TunedValues {
  const char* schedule;
  CallKnobs knobs;
  const char* source;
};

/// Calls use(values) for each row that is about `call`, most specific first (type and class; type; class; neither), then in
/// order, until it returns true. First those of `user`, if set, then the compiled-in ones.
template <typename Use>
bool ForTunedRows(const TunedCall& call, const Tuning* user, const Use& use);

namespace detail {

struct CompiledRow {
  Isa isa;
  Operator op;
  std::optional<DataType> type;
  std::optional<ShapeClass> shape_class;
  TunedValues values;
};
std::span<const CompiledRow> CompiledRows() noexcept;

constexpr int kSpecificities = 4;

/// The place of a row that is about `call` in the order of ForTunedRows(); -1 if it is about others.
template <typename Row>
int Specificity(const TunedCall& call, const Row& row) noexcept {
  const bool fits = row.isa == call.isa && row.op == call.op && row.type.value_or(call.type) == call.type &&
                    row.shape_class.value_or(call.shape_class) == call.shape_class;
  return fits ? (row.type ? 0 : 2) + (row.shape_class ? 0 : 1) : -1;
}

}  // namespace detail

template <typename Use>
bool ForTunedRows(const TunedCall& call, const Tuning* user, const Use& use) {
  for (int wanted = 0; user != nullptr && wanted < detail::kSpecificities; ++wanted) {
    for (const TunedRow& row : user->rows) {
      if (detail::Specificity(call, row) != wanted) continue;
      if (use(TunedValues{row.schedule.c_str(), row.knobs, row.source.c_str()})) return true;
    }
  }
  for (int wanted = 0; wanted < detail::kSpecificities; ++wanted) {
    for (const detail::CompiledRow& row : detail::CompiledRows()) {
      if (detail::Specificity(call, row) == wanted && use(row.values)) return true;
    }
  }
  return false;
}

}  // namespace internal
}  // namespace roipool

#endif  // ROIPOOL_RUNTIME_TUNING_H_
