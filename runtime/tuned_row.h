// One row of tuned values. The format: schedules/tuned/README.md.
#ifndef ROIPOOL_RUNTIME_TUNED_ROW_H_
#define ROIPOOL_RUNTIME_TUNED_ROW_H_

#include <optional>
#include <string>
#include <string_view>

#include "call_knobs.h"
#include "kernel_registry.h"
#include "shape_class.h"

namespace roipool::internal {

/// Values for the calls of one operator on one ISA; of one type and shape class, or of any.
struct TunedRow {
  Isa isa = Isa::kBaseline;
  Operator op = Operator::kRoiPoolGrad;
  std::optional<DataType> type;
  std::optional<ShapeClass> shape_class;
  std::string schedule;  ///< As in Kernel::schedule: the name with the knobs that differ from its defaults.
  CallKnobs knobs;
  std::string source;  ///< "<file>:<line>"
};

/// Reads a line without its line break. Empty lines and comments leave `row` without a schedule. False for a bad row; `error`
/// then says what is wrong, without the place. Throws std::bad_alloc.
bool ParseTunedRow(std::string_view line, TunedRow* row, std::string* error);

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_TUNED_ROW_H_
