#include "problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "pooling.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

ExecutorPtr PlanOf(const Shape& shape, Operator op, DataType type = DataType::kFloat32, const Options& options = {}) {
  return PlanWithoutData(op, type, {shape.images, shape.channels, shape.height, shape.width},
                         {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w}, options);
}

bool TakesShape(const std::string& schedule, const Problem& problem, const Shape& shape) {
  Options options;
  options.schedule = schedule.c_str();
  options.max_isa = problem.isa;
  try {
    PlanOf(shape, problem.op, problem.type, options);
  } catch (const UserError&) {
    return false;
  }
  return true;
}

std::string ClassOf(const Shape& shape, Operator op) {
  const ExecutorPtr executor = PlanOf(shape, op);
  const std::string tuning = TuningOf(*executor).text;
  return tuning.substr(0, tuning.find(':'));
}

}  // namespace

int UsableThreads() {
  const Shape& any = NamedShapes().front();
  return ThreadCount(*PlanOf(any, Operator::kRoiPoolGrad));
}

std::vector<Problem> ProblemsOf(const TuneRequest& request) {
  std::map<std::string, std::vector<Shape>> classes;
  for (const Shape& shape : request.shapes) classes[ClassOf(shape, request.op)].push_back(shape);
  std::vector<Problem> problems;
  for (const DataType type : request.types) {
    for (const auto& [shape_class, shapes] : classes) {
      problems.push_back({request.op, type, request.isa, request.threads, shape_class, shapes});
    }
  }
  return problems;
}

CandidateSpace SpaceOf(const Problem& problem) {
  int64_t most_channels = 1;
  for (const Shape& shape : problem.shapes) most_channels = std::max(most_channels, shape.channels);
  CandidateSpace space = CandidateSpace::Of(problem.op, most_channels);
  for (const Shape& shape : problem.shapes) {
    const auto schedules = space.schedules();
    for (const auto& [schedule, knobs] : schedules) {
      if (!TakesShape(schedule, problem, shape)) space.DropSchedule(schedule);
    }
    if (space.schedules().empty()) {
      throw UserError(
          fmt::format("--shapes: {} has {} x {} bins; of the schedules that take the shapes of its class, {}, only "
                      "the reference takes it too, which is not tuned; leave {} out",
                      shape.name, shape.pooled_h, shape.pooled_w, problem.shape_class, shape.name));
    }
  }
  return space;
}

}  // namespace roipool::cli
