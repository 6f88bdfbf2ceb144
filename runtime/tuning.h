// Tuned rows: those compiled in, and the user's.
#ifndef ROIPOOL_RUNTIME_TUNING_H_
#define ROIPOOL_RUNTIME_TUNING_H_

#include <memory>
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
  GradCallKnobs knobs;
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
  int32_t type;         ///< A DataType; -1: any.
  int32_t shape_class;  ///< A ShapeClass; -1: any.
  TunedValues values;
};
const CompiledRow* CompiledRows(size_t* count) noexcept;

constexpr int kSpecificities = 4;

inline int Specificity(const TunedCall& call, Isa isa, Operator op, int32_t type, int32_t shape_class) noexcept {
  const bool type_fits = type < 0 || type == static_cast<int32_t>(call.type);
  const bool class_fits = shape_class < 0 || shape_class == static_cast<int32_t>(call.shape_class);
  if (isa != call.isa || op != call.op || !type_fits || !class_fits) return -1;
  return (type < 0 ? 2 : 0) + (shape_class < 0 ? 1 : 0);
}

}  // namespace detail

template <typename Use>
bool ForTunedRows(const TunedCall& call, const Tuning* user, const Use& use) {
  const auto optional = [](const auto& value) { return value ? static_cast<int32_t>(*value) : -1; };
  for (int wanted = 0; user != nullptr && wanted < detail::kSpecificities; ++wanted) {
    for (const TunedRow& row : user->rows) {
      if (detail::Specificity(call, row.isa, row.op, optional(row.type), optional(row.shape_class)) != wanted) continue;
      if (use(TunedValues{row.schedule.c_str(), row.knobs, row.source.c_str()})) return true;
    }
  }
  size_t count = 0;
  const detail::CompiledRow* rows = detail::CompiledRows(&count);
  for (int wanted = 0; wanted < detail::kSpecificities; ++wanted) {
    for (size_t i = 0; i < count; ++i) {
      if (detail::Specificity(call, rows[i].isa, rows[i].op, rows[i].type, rows[i].shape_class) != wanted) continue;
      if (use(rows[i].values)) return true;
    }
  }
  return false;
}

}  // namespace internal
}  // namespace roipool

#endif  // ROIPOOL_RUNTIME_TUNING_H_
