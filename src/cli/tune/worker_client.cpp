#include "worker_client.h"

#include <fmt/format.h>

#include <stdexcept>

#include "interrupt.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

using nlohmann::json;
using Clock = ChildProcess::Clock;

// Making inputs and the reference's results, once for each start of the worker.
constexpr double kSecondsForProblem = 300;
// A candidate may be so many times slower than the start.
constexpr double kSlowest = 20;
constexpr double kCallsOfCheck = 2;

}  // namespace

std::string RowKey(const Problem& problem) {
  return fmt::format("x86-64-{} {} {} {}", IsaName(problem.isa), OperatorName(problem.op), DataTypeName(problem.type),
                     problem.shape_class);
}

WorkerClient::WorkerClient(std::filesystem::path program, std::filesystem::path log, Problem problem, double seconds_for_each,
                           std::function<bool()> is_stopped)
    : program_(std::move(program)),
      log_(std::move(log)),
      problem_(std::move(problem)),
      seconds_for_each_(seconds_for_each),
      is_stopped_(std::move(is_stopped)) {
  Restart();
}

void WorkerClient::Drop() {
  in_worker_.clear();
  process_.reset();
}

WorkerClient::Answer WorkerClient::Ask(const json& request, double seconds) {
  if (process_ == nullptr) Restart();
  return AskThisOne(request, seconds);
}

WorkerClient::Answer WorkerClient::AskThisOne(const json& request, double seconds) {
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const bool is_heard = !is_stopped_() && process_->WriteLine(request.dump());
  const auto line = is_heard ? process_->ReadLine(deadline, is_stopped_) : std::nullopt;
  if (line) {
    json answer = json::parse(*line, nullptr, false);
    if (!answer.is_object()) {
      // Someone else's words: whatever comes next would be taken for other answers.
      Drop();
      return {nullptr, "writes to the worker's output"};
    }
    if (answer.contains("error")) {
      std::string problem = "fails: " + answer.at("error").get<std::string>();
      return {std::move(answer), std::move(problem)};
    }
    std::string problem = answer.value("ok", false) ? "" : answer.value("problem", "is rejected");
    return {std::move(answer), std::move(problem)};
  }
  if (is_stopped_()) {
    Drop();
    throw Interrupted();
  }
  // Its last breath may take a moment.
  const auto status = process_->Wait(std::min(deadline, Clock::now() + std::chrono::seconds(2)));
  Drop();
  if (!status) return {nullptr, fmt::format("does not end within {:.3g} s", seconds)};
  return {nullptr, *status < 0 ? fmt::format("crashes with signal {}", -*status) : fmt::format("ends with status {}", *status)};
}

double WorkerClient::SecondsFor(double calls) const {
  return call_seconds_ == 0 ? kSecondsForProblem : seconds_for_each_ + kSlowest * calls * call_seconds_;
}

void WorkerClient::Restart() {
  process_ = std::make_unique<ChildProcess>(std::vector<std::string>{program_}, log_);
  json shapes = json::array();
  for (const Shape& shape : problem_.shapes) {
    shapes.push_back({shape.images, shape.channels, shape.height, shape.width, shape.rois, shape.pooled_h, shape.pooled_w});
  }
  const json request = {{"do", "problem"},     {"op", problem_.op},           {"type", problem_.type},
                        {"isa", problem_.isa}, {"threads", problem_.threads}, {"shapes", shapes}};
  const Answer answer = AskThisOne(request, kSecondsForProblem);
  if (!answer.problem.empty()) {
    throw std::runtime_error(fmt::format("{} {}; see {}", program_.string(), answer.problem, log_.string()));
  }
}

Start WorkerClient::FindStart(const std::string& tuning_file) {
  const Answer answer = Ask({{"do", "start"}, {"tuning", tuning_file}}, seconds_for_each_);
  if (!answer.problem.empty()) throw std::runtime_error(fmt::format("{} {}", program_.string(), answer.problem));
  return {answer.json.at("schedule"), answer.json.at("knobs"), answer.json.at("source")};
}

json WorkerClient::LoadRequest(int id) const {
  const Loaded& loaded = loaded_.at(static_cast<size_t>(id));
  return {{"do", "load"},
          {"id", id},
          {"library", loaded.kernel.library},
          {"symbol", loaded.kernel.symbol},
          {"schedule", loaded.candidate.schedule},
          {"knobs", loaded.candidate.knobs},
          {"checks_edges", loaded.checks_edges}};
}

std::string WorkerClient::Load(const Candidate& candidate, const CompiledKernel& kernel, int* id, bool checks_edges) {
  *id = static_cast<int>(loaded_.size());
  loaded_.push_back({candidate, kernel, checks_edges});
  return LoadIntoWorker(*id);
}

std::string WorkerClient::LoadIntoWorker(int id) {
  const Answer answer = Ask(LoadRequest(id), SecondsFor(kCallsOfCheck));
  if (answer.problem.empty()) in_worker_.insert(id);
  return answer.problem;
}

Timing WorkerClient::Time(const std::vector<int>& ids, int rounds) {
  for (const int id : ids) {
    if (in_worker_.contains(id)) continue;
    if (std::string problem = LoadIntoWorker(id); !problem.empty()) return {{}, std::move(problem)};
  }
  const json request = {{"do", "time"}, {"ids", ids}, {"rounds", rounds}};
  Answer answer = Ask(request, SecondsFor(static_cast<double>(ids.size()) * (rounds + 1)));
  if (!answer.problem.empty()) return {{}, std::move(answer.problem)};
  return {answer.json.at("seconds").get<Seconds>(), ""};
}

}  // namespace roipool::cli
