#include "compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <thread>

#include "child_process.h"
#include "interrupt.h"

namespace roipool::cli {
namespace {

using Clock = ChildProcess::Clock;

struct Job {
  Candidate kernel;
  CompiledKernel* result;
  std::filesystem::path log;
  std::unique_ptr<ChildProcess> process;
  Clock::time_point deadline;
};

const char* HalideType(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return "float16";
    case DataType::kBFloat16:
      return "bfloat16";
    case DataType::kFloat64:
      return "float64";
    default:
      return "float32";
  }
}

const char* HalideTarget(Isa isa) {
#define ROIPOOL_TARGET(name, target) \
  if (std::string(IsaName(isa)) == #name) return target "-no_runtime";
#include "targets.inc"
#undef ROIPOOL_TARGET
  return "";
}

std::string LastLine(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string last, line;
  while (std::getline(stream, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

// The generator writes an object, the linker makes it a library; what both say goes to the log.
std::vector<std::string> CommandFor(const CompilerSettings& settings, const Candidate& kernel, const CompiledKernel& result) {
  std::vector<std::string> command = {"sh",
                                      "-c",
                                      R"(generators=$1 linker=$2 folder=$3 symbol=$4; shift 4
exec >&2
"$generators" -f "$symbol" -n "$symbol" -o "$folder" -e object "$@" &&
"$linker" -shared -o "$folder/$symbol.so" "$folder/$symbol.o")",
                                      "sh",
                                      settings.generators,
                                      ROIPOOL_LINKER,
                                      settings.folder,
                                      result.symbol,
                                      "-g",
                                      fmt::format("{}_{}", OperatorName(settings.op), kernel.schedule),
                                      fmt::format("target={}", HalideTarget(settings.isa)),
                                      fmt::format("type={}", HalideType(settings.type))};
  for (const auto& [name, value] : kernel.knobs) command.push_back(fmt::format("{}={}", name, value));
  return command;
}

Clock::time_point DeadlineFor(const CompilerSettings& settings) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(settings.seconds_for_each));
}

// Whether the job has ended; *result then says how.
bool Finish(const CompilerSettings& settings, Job& job) {
  const std::optional<int> status = job.process->Wait(Clock::now());
  if (!status && Clock::now() < job.deadline) return false;
  job.process->Kill();
  if (!status) {
    job.result->problem = fmt::format("took more than {:g} s to compile", settings.seconds_for_each);
  } else if (*status != 0) {
    job.result->problem = "does not compile: " + LastLine(job.log);
  } else {
    job.result->library = settings.folder / (job.result->symbol + ".so");
  }
  return true;
}

}  // namespace

Compiler::Compiler(CompilerSettings settings) : settings_(std::move(settings)) {
  std::filesystem::create_directories(settings_.folder);
}

void Compiler::Compile(const CandidateSpace& space, const std::vector<Candidate>& candidates,
                       const std::function<bool()>& is_stopped) {
  std::vector<Job> waiting, running;
  for (const Candidate& candidate : candidates) {
    const Candidate part = space.CompiledPart(candidate);
    const auto [kernel, is_new] = kernels_.try_emplace(part);
    if (!is_new) continue;
    kernel->second.symbol = fmt::format("{}_{}_{}_{}", OperatorName(settings_.op), DataTypeName(settings_.type),
                                        space.KernelSchedule(candidate), IsaName(settings_.isa));
    waiting.push_back({part, &kernel->second, settings_.folder / (kernel->second.symbol + ".log"), nullptr, {}});
  }
  const size_t cpus = std::max(1u, std::thread::hardware_concurrency());
  while (!waiting.empty() || !running.empty()) {
    if (is_stopped()) break;
    while (!waiting.empty() && running.size() < cpus) {
      Job job = std::move(waiting.back());
      waiting.pop_back();
      std::filesystem::remove(job.log);
      job.process = std::make_unique<ChildProcess>(CommandFor(settings_, job.kernel, *job.result), job.log);
      job.deadline = DeadlineFor(settings_);
      running.push_back(std::move(job));
    }
    std::erase_if(running, [&](Job& job) { return Finish(settings_, job); });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  for (const auto* jobs : {&waiting, &running}) {
    for (const Job& job : *jobs) kernels_.erase(job.kernel);
  }
}

CompiledKernel Compiler::CompileAutoscheduled(const std::string& autoscheduler, const std::function<bool()>& is_stopped) const {
  CompiledKernel result;
  result.symbol = fmt::format("{}_{}_{}_{}", OperatorName(settings_.op), DataTypeName(settings_.type), autoscheduler,
                              IsaName(settings_.isa));
  std::string plugin = autoscheduler;
  std::transform(plugin.begin(), plugin.end(), plugin.begin(), [](unsigned char c) { return std::tolower(c); });
  Job job = {{"reference", {}}, &result, settings_.folder / (result.symbol + ".log"), nullptr, DeadlineFor(settings_)};
  std::filesystem::remove(job.log);
  std::vector<std::string> command = CommandFor(settings_, job.kernel, result);
  for (const std::string& argument :
       {std::string("-p"), fmt::format("{}/libautoschedule_{}.so", ROIPOOL_HALIDE_FOLDER, plugin),
        fmt::format("autoscheduler={}", autoscheduler), std::string("autoscheduler.parallelism=1")}) {
    command.push_back(argument);
  }
  job.process = std::make_unique<ChildProcess>(command, job.log);
  while (!Finish(settings_, job)) {
    if (is_stopped()) throw Interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return result;
}

const CompiledKernel* Compiler::Find(const CandidateSpace& space, const Candidate& candidate) const {
  const auto kernel = kernels_.find(space.CompiledPart(candidate));
  return kernel == kernels_.end() ? nullptr : &kernel->second;
}

}  // namespace roipool::cli
