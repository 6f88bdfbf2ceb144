// roipool_tune_worker: checks and times candidates for `roipool tune`, in a process that may hang or crash without harm. It
// reads one request a line, as JSON, and answers each with a line. It ends with its input.
//
//   {"do": "problem", "op", "type", "isa", "threads", "shapes": [[images, channels, height, width, rois, pooled_h,
//   pooled_w]...]}
//       -> {"ok": true}                     inputs are made, the reference's results computed
//   {"do": "start", "tuning": "file or empty"}
//       -> {"ok": true, "schedule", "knobs": {...}, "source"}   what the library would use
//   {"do": "load", "id", "library", "symbol", "schedule", "knobs": {...}, "checks_edges"}
//       -> {"ok": true}, or {"ok": false, "problem"} if the results' bits are not the reference's; it cannot be timed then
//   {"do": "time", "ids": [...], "rounds"}
//       -> {"ok": true, "seconds": [shape][id][round]}, everyone in turn
//
// {"ok": false, "error"} answers what could not be done at all; the worker goes on.
#include <sys/prctl.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "worker_problem.h"

namespace roipool::cli {
namespace {

using nlohmann::json;

class Worker {
 public:
  json Answer(const json& request) {
    const std::string what = request.at("do");
    if (what == "problem") {
      problem_ = MakeWorkerProblem(request);
      return {{"ok", true}};
    }
    if (problem_ == nullptr) throw std::runtime_error("no problem yet");
    if (what == "start") return Start(request);
    if (what == "load") return Load(request);
    if (what == "time") return {{"ok", true}, {"seconds", problem_->Time(request.at("ids"), request.at("rounds"))}};
    throw std::runtime_error("unknown request " + what);
  }

 private:
  json Start(const json& request) const {
    const StartingPoint start = problem_->Start(request.at("tuning"));
    return {{"ok", true}, {"schedule", start.schedule}, {"knobs", start.knobs}, {"source", start.source}};
  }

  json Load(const json& request) {
    const std::string problem = problem_->Load(request.at("id"), request.at("library"), request.at("symbol"),
                                               request.at("schedule"), request.at("knobs"), request.at("checks_edges"));
    if (problem.empty()) return {{"ok", true}};
    return {{"ok", false}, {"problem", problem}};
  }

  std::unique_ptr<WorkerProblem> problem_;
};

}  // namespace
}  // namespace roipool::cli

int main() {
  using nlohmann::json;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Whatever a candidate does when the tuner is gone.
  // Requests say all there is to say.
  for (const char* variable : {"ROIPOOL_TUNING", "ROIPOOL_SCHEDULE", "ROIPOOL_MAX_ISA"}) unsetenv(variable);
  roipool::cli::Worker worker;
  for (std::string line; std::getline(std::cin, line);) {
    json answer;
    try {
      answer = worker.Answer(json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"ok", false}, {"error", error.what()}};
    }
    std::cout << answer.dump() << '\n' << std::flush;
  }
  return 0;
}
