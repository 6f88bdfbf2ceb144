#include "tune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>

#include "interrupt.h"
#include "origin.h"
#include "problems.h"
#include "progress.h"
#include "tuned_file.h"
#include "tuner.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string NamesOf(const std::vector<Shape>& shapes) {
  std::vector<std::string> names;
  names.reserve(shapes.size());
  for (const Shape& shape : shapes) names.push_back(shape.name);
  return fmt::format("{}", fmt::join(names, ","));
}

// A row that was there stays unless it was beaten.
void WriteRow(const TuneRequest& request, const Origin& origin, const std::optional<Candidate>& before, TuneResult* result) {
  if (!before) result->row_kept.clear();
  if (before && result->best == result->start && *before != result->start && result->row_kept.empty()) {
    result->row_kept = "nothing was found that is faster than what the search began with";
  }
  if (!result->row_kept.empty()) return;
  const Provenance provenance = {
      origin.cpu, Today(), origin.commit, NamesOf(result->problem.shapes), request.threads, result->best_nanoseconds};
  if (PutRow(request.output, result->problem, result->best, provenance, before) == PutResult::kOtherCameMeanwhile) {
    result->row_kept = "another program wrote it while this one searched; the same command compares the two";
  }
}

}  // namespace

bool NeedsBuild(const TuneResult& result) {
  const std::string schedule = CandidateSpace::Of(result.problem.op, 1).KernelSchedule(result.best);
  for (int64_t i = 0; i < KernelCount(); ++i) {
    KernelExplanation kernel;
    ThrowIfError(ExplainKernel(i, {}, &kernel));
    if (kernel.device == Device::kCpu && kernel.op == result.problem.op && kernel.type == result.problem.type &&
        kernel.isa == result.problem.isa && schedule == kernel.schedule) {
      return false;
    }
  }
  return true;
}

std::vector<TuneResult> Tune(const TuneRequest& request) {
  const InterruptScope scope;
  std::signal(SIGPIPE, SIG_IGN);  // A worker that ended is noticed where it is written to.
  std::filesystem::create_directories(request.folder);
  const Origin origin = FindOrigin(request.folder, {request.generators, request.worker});
  const std::vector<Problem> problems = ProblemsOf(request);
  for (const Problem& problem : problems) SpaceOf(problem);  // All can be tuned, or none is.
  Progress progress("roipool tune");
  std::vector<TuneResult> results;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.budget_seconds));
  for (size_t i = 0; i < problems.size() && !IsInterrupted(); ++i) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) break;
    const std::optional<Candidate> row = TunedFile(request.output).Find(problems[i]);
    try {
      const double share = left / static_cast<double>(problems.size() - i);
      results.push_back(TuneProblem(request, problems[i], share, origin, row, &progress));
    } catch (const Interrupted&) {
      break;  // What is in the journal is there for the next run.
    }
    WriteRow(request, origin, row, &results.back());
  }
  return results;
}

}  // namespace roipool::cli
