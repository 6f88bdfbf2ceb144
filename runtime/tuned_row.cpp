#include "tuned_row.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "knobs.h"

namespace roipool::internal {
namespace {

using Words = std::vector<std::string_view>;

Words SplitAtSpaces(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  Words words;
  while (true) {
    const size_t begin = text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

std::string Concatenated(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

std::string Joined(const Words& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

/// Reads the fields of one row.
class RowReader {
 public:
  RowReader(TunedRow* row, std::string* error) : row_(*row), error_(*error) {}

  bool Read(const Words& words) {
    if (words.size() < 5) return Fail("a row is: target operator type shape_class schedule [knob=value...]");
    if (!ReadTarget(words[0]) || !ReadOperator(words[1]) || !ReadType(words[2]) || !ReadShapeClass(words[3])) return false;
    if (!ReadSchedule(words[4])) return false;
    for (size_t i = 5; i < words.size(); ++i) {
      if (!ReadKnob(words[i])) return false;
    }
    return NameKernels(words[4]);
  }

 private:
  bool Fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  // Whether `word` is the name of one of `values`, which it then leaves in *value.
  template <typename Value, typename NameOf>
  bool Find(const char* what, std::string_view word, const std::vector<Value>& values, const NameOf& name_of, Value* value) {
    Words known;
    for (const Value& candidate : values) {
      known.push_back(name_of(candidate));
      if (known.back() != word) continue;
      *value = candidate;
      return true;
    }
    return Fail(Concatenated({what, " is '", word, "', must be one of: ", Joined(known)}));
  }

  bool ReadTarget(std::string_view word) {
    const auto name = [](Isa isa) {
      return isa == Isa::kAvx512 ? "x86-64-avx512" : isa == Isa::kAvx2 ? "x86-64-avx2" : "x86-64-baseline";
    };
    return Find<Isa>("the target", word, {Isa::kAvx512, Isa::kAvx2, Isa::kBaseline}, name, &row_.isa);
  }

  bool ReadOperator(std::string_view word) {
    return Find<Operator>("the operator", word, {Operator::kRoiPoolGrad, Operator::kRoiPool}, OperatorName, &row_.op);
  }

  bool ReadType(std::string_view word) {
    const auto name = [](std::optional<DataType> type) { return type ? DataTypeName(*type) : "any"; };
    return Find<std::optional<DataType>>(
        "the type", word, {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64, std::nullopt}, name,
        &row_.type);
  }

  bool ReadShapeClass(std::string_view word) {
    const auto name = [](std::optional<ShapeClass> shape_class) { return shape_class ? ShapeClassName(*shape_class) : "any"; };
    std::vector<std::optional<ShapeClass>> classes = {
#define ROIPOOL_CLASS(value, name, description) ShapeClass::value,
        ROIPOOL_SHAPE_CLASSES(ROIPOOL_CLASS)
#undef ROIPOOL_CLASS
            std::nullopt};
    return Find("the shape class", word, classes, name, &row_.shape_class);
  }

  bool ReadSchedule(std::string_view word) {
    std::vector<std::string_view> names;
    for (const ScheduleName& schedule : Schedules()) {
      if (schedule.op == row_.op) names.push_back(schedule.name);
    }
    std::string_view name;
    if (!Find<std::string_view>("the schedule", word, names, [](std::string_view same) { return same; }, &name)) return false;
    for (const KnobExplanation& knob : Knobs()) {
      if (knob.op == row_.op && (knob.schedule == nullptr || knob.schedule == name)) knobs_.push_back(&knob);
    }
    return true;
  }

  bool ReadKnob(std::string_view word) {
    const size_t sign = word.find('=');
    if (sign == std::string_view::npos || sign == 0) return Fail(Concatenated({"'", word, "' must be knob=value"}));
    const std::string_view name = word.substr(0, sign), text = word.substr(sign + 1);
    const KnobExplanation* knob = nullptr;
    if (!Find<const KnobExplanation*>("a knob", name, knobs_, [](const auto* candidate) { return candidate->name; }, &knob))
      return false;
    int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.starts_with('-') || error != std::errc() || end != text.data() + text.size() || value < knob->smallest ||
        value > knob->largest) {
      return Fail(Concatenated({name, " is '", text, "', must be a whole number in [", std::to_string(knob->smallest), ", ",
                                std::to_string(knob->largest), "]"}));
    }
    if (!values_.emplace(name, value).second) return Fail(Concatenated({name, " is given twice"}));
    return true;
  }

  bool NameKernels(std::string_view schedule) {
    row_.schedule = schedule;
    for (const KnobExplanation* knob : knobs_) {
      const auto value = values_.find(knob->name);
      if (value == values_.end()) continue;
      if (knob->schedule == nullptr) {
#define ROIPOOL_SET_CALL_KNOB(field, initial, smallest, largest, meaning) \
  if (std::string_view(knob->name) == #field) row_.knobs.field = value->second;
        ROIPOOL_GRAD_CALL_KNOBS(ROIPOOL_SET_CALL_KNOB)
#undef ROIPOOL_SET_CALL_KNOB
      } else if (value->second != knob->initial) {
        row_.schedule.append("_").append(knob->name).append(std::to_string(value->second));
      }
    }
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      if (row_.type.value_or(type) == type && !HasKernel(type)) {
        return Fail(
            Concatenated({"this library holds no kernel ", OperatorName(row_.op), "_", DataTypeName(type), "_", row_.schedule,
                          "_", IsaName(row_.isa), "; a build with this file in -D ROIPOOL_TUNED_ROWS=... compiles it"}));
      }
    }
    return true;
  }

  bool HasKernel(DataType type) const {
    return std::any_of(Kernels().begin(), Kernels().end(), [&](const Kernel& kernel) {
      return kernel.op == row_.op && kernel.type == type && kernel.isa == row_.isa && kernel.schedule == row_.schedule;
    });
  }

  TunedRow& row_;
  std::string& error_;
  std::vector<const KnobExplanation*> knobs_;  // Those that the row may set.
  std::map<std::string_view, int32_t> values_;
};

}  // namespace

bool ParseTunedRow(std::string_view line, TunedRow* row, std::string* error) {
  *row = {};
  const Words words = SplitAtSpaces(line.substr(0, line.find('#')));
  return words.empty() || RowReader(row, error).Read(words);
}

}  // namespace roipool::internal
