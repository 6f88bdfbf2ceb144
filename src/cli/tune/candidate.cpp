#include "candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "user_error.h"

namespace roipool::cli {
namespace {

// All of a small range; of a larger one 0, 1, 2, 3, 4, 6, 8, 12, 16, 24... and its ends.
std::vector<int> ValuesOf(const KnobExplanation& knob, int64_t largest_of_use) {
  const int largest = static_cast<int>(std::max<int64_t>(knob.initial, std::min<int64_t>(knob.largest, largest_of_use)));
  std::set<int> values = {knob.initial, knob.smallest, largest};
  for (int64_t value = 1; value <= largest; value *= 2) {
    for (const int64_t step : {value, value + value / 2}) {
      if (step >= knob.smallest && step <= largest) values.insert(static_cast<int>(step));
    }
  }
  return {values.begin(), values.end()};
}

std::string KnobSuffix(const std::string& name, int value) { return fmt::format("_{}{}", name, value); }

}  // namespace

std::string Describe(const Candidate& candidate) {
  std::string text = candidate.schedule;
  for (const auto& [name, value] : candidate.knobs) text += fmt::format(" {}={}", name, value);
  return text;
}

CandidateSpace CandidateSpace::Of(Operator op, int64_t most_channels) {
  CandidateSpace space;
  for (int64_t i = 0; i < KernelCount(); ++i) {
    KernelExplanation kernel;
    ThrowIfError(ExplainKernel(i, {}, &kernel));
    if (kernel.op == op && kernel.device == Device::kCpu) space.schedules_[kernel.base_schedule] = {};
  }
  if (space.schedules_.size() > 1) space.schedules_.erase("reference");
  for (int64_t i = 0; i < KnobCount(); ++i) {
    KnobExplanation knob;
    ThrowIfError(ExplainKnob(i, &knob));
    if (knob.op != op) continue;
    const int64_t largest_of_use = std::string(knob.name) == "channel_block" ? most_channels : knob.largest;
    for (auto& [schedule, knobs] : space.schedules_) {
      if (knob.schedule != nullptr && schedule != knob.schedule) continue;
      knobs.push_back({knob.name, knob.schedule != nullptr, knob.initial, ValuesOf(knob, largest_of_use)});
    }
  }
  return space;
}

double CandidateSpace::size() const {
  double size = 0;
  for (const auto& [schedule, knobs] : schedules_) {
    double product = 1;
    for (const Knob& knob : knobs) product *= static_cast<double>(knob.values.size());
    size += product;
  }
  return size;
}

Candidate CandidateSpace::Initial(const std::string& schedule) const {
  Candidate candidate{schedule, {}};
  for (const Knob& knob : KnobsOf(schedule)) candidate.knobs[knob.name] = knob.initial;
  return candidate;
}

Candidate CandidateSpace::FromKernel(const std::string& schedule_with_knobs) const {
  for (const auto& [schedule, knobs] : schedules_) {
    if (!schedule_with_knobs.starts_with(schedule)) continue;
    Candidate candidate = Initial(schedule);
    std::string rest = schedule_with_knobs.substr(schedule.size());
    for (const Knob& knob : knobs) {
      const std::string begin = "_" + knob.name;
      if (!knob.is_compiled || !rest.starts_with(begin)) continue;
      const char* digits = rest.data() + begin.size();
      const auto [end, error] = std::from_chars(digits, rest.data() + rest.size(), candidate.knobs[knob.name]);
      if (error == std::errc()) rest.erase(0, static_cast<size_t>(end - rest.data()));
    }
    if (rest.empty()) return candidate;
  }
  // A schedule that is not searched, e.g. the reference: begin with the first that is.
  return Initial(schedules_.begin()->first);
}

std::string CandidateSpace::KernelSchedule(const Candidate& candidate) const {
  std::string name = candidate.schedule;
  for (const Knob& knob : KnobsOf(candidate.schedule)) {
    const int value = candidate.knobs.at(knob.name);
    if (knob.is_compiled && value != knob.initial) name += KnobSuffix(knob.name, value);
  }
  return name;
}

Candidate CandidateSpace::CompiledPart(const Candidate& candidate) const {
  Candidate part{candidate.schedule, {}};
  for (const Knob& knob : KnobsOf(candidate.schedule)) {
    if (knob.is_compiled) part.knobs[knob.name] = candidate.knobs.at(knob.name);
  }
  return part;
}

}  // namespace roipool::cli
