#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "commands.h"
#include "interrupt.h"
#include "problems.h"
#include "roipool/kernels.h"
#include "roipool/tuning.h"
#include "run_options.h"
#include "tune.h"
#include "tuned_file.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

struct TuneOptions {
  std::string op = "roi_pool_grad";
  std::string shapes = "A,B,C,E";
  std::vector<std::string> types = {"f32"};
  RunOptions run;
  double budget = 300;
  size_t candidates = 0;
  double timeout = 10;
  std::string from;
  std::string output = "tuned.rows";
  std::string work_dir;
  std::string generators;
  bool autoschedulers = false;
  bool fresh = false;
  bool dry_run = false;
};

constexpr const char* kFooter =
    "Shapes of one class share a row: `roipool targets --shape` tells a shape's class. Every candidate must\n"
    "give the reference's bits before its time counts. Ctrl-C ends the search and keeps what was found; the\n"
    "same command goes on from there. Needs the build tree, whose generators compile the candidates.\n"
    "\n"
    "Example: two minutes for two shapes, then a program that uses the result\n"
    "  roipool tune --shapes A,E --types f32 --budget 120 --output my.rows\n"
    "  ROIPOOL_TUNING=my.rows ./app";

std::filesystem::path BesideThisProgram(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

std::filesystem::path RequireProgram(const std::filesystem::path& path) {
  if (std::filesystem::exists(path)) return path;
  throw UserError(fmt::format("there is no '{}'; tuning needs the build tree, in which this program was made", path.string()));
}

TuneRequest ToRequest(const TuneOptions& options) {
  TuneRequest request;
  const roipool::Options run = ToOptions(options.run);
  request.op = options.op == OperatorName(Operator::kRoiPool) ? Operator::kRoiPool : Operator::kRoiPoolGrad;
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    if (std::find(options.types.begin(), options.types.end(), DataTypeName(type)) != options.types.end()) {
      request.types.push_back(type);
    }
  }
  request.shapes = ParseShapes(options.shapes);
  request.isa = std::min(DetectIsa(), run.max_isa);
  request.threads = options.run.threads > 0 ? options.run.threads : UsableThreads();
  request.budget_seconds = options.budget;
  request.most_candidates = options.candidates;
  request.seconds_for_each = options.timeout;
  request.from = options.from;
  TuningPtr rows;
  if (!options.from.empty()) ThrowIfError(LoadTuning(options.from.c_str(), &rows));
  request.output = options.output;
  request.folder = options.work_dir.empty() ? BesideThisProgram("tune") : std::filesystem::path(options.work_dir);
  request.generators = RequireProgram(options.generators.empty() ? BesideThisProgram("generators/roipool_generators")
                                                                 : std::filesystem::path(options.generators));
  request.worker = RequireProgram(BesideThisProgram("roipool_tune_worker"));
  request.tries_autoschedulers = options.autoschedulers;
  request.begins_anew = options.fresh;
  return request;
}

void PrintPlan(const TuneRequest& request) {
  for (const Problem& problem : ProblemsOf(request)) {
    fmt::print("{}, {} thread{}:\n", RowKey(problem), problem.threads, problem.threads == 1 ? "" : "s");
    for (const Shape& shape : problem.shapes) {
      fmt::print("  shape {}: x ({}, {}, {}, {}), {} rois, {} x {} bins\n", shape.name, shape.images, shape.channels,
                 shape.height, shape.width, shape.rois, shape.pooled_h, shape.pooled_w);
    }
    const CandidateSpace space = SpaceOf(problem);
    fmt::print("  {:.0f} candidates:\n", space.size());
    for (const auto& [schedule, knobs] : space.schedules()) {
      for (const CandidateSpace::Knob& knob : knobs) {
        fmt::print("    {} {}{} of {}\n", schedule, knob.name, knob.is_compiled ? " (compiled)" : "",
                   fmt::join(knob.values, " "));
      }
    }
  }
  fmt::print("{:g} s in all; rows would go to {}, the rest to {}\n", request.budget_seconds, request.output,
             request.folder.string());
}

// "channel_block 1 -> 4, prefetch_distance 0 -> 3"
std::string Changes(const TuneResult& result) {
  std::string text;
  const auto add = [&](const std::string& change) { text += (text.empty() ? "" : ", ") + change; };
  if (result.start.schedule != result.best.schedule) add(fmt::format("{} -> {}", result.start.schedule, result.best.schedule));
  for (const auto& [name, value] : result.best.knobs) {
    const auto before = result.start.knobs.find(name);
    if (before == result.start.knobs.end() || before->second != value) {
      add(fmt::format("{} {} -> {}", name, before == result.start.knobs.end() ? "-" : std::to_string(before->second), value));
    }
  }
  return text.empty() ? "nothing better than what it began with" : text;
}

void PrintResult(const TuneResult& result) {
  size_t measured = 0;
  for (const Finding& finding : result.findings) measured += finding.problem.empty() ? 1 : 0;
  fmt::print("{}: {:.3f} -> {:.3f} ns per bin, {:.2f}x as long\n", RowKey(result.problem), result.start_nanoseconds,
             result.best_nanoseconds, result.ratio);
  fmt::print("  changed: {}\n", Changes(result));
  fmt::print("  {} candidates: {} measured, {} rejected{}\n", result.findings.size(), measured,
             result.findings.size() - measured,
             result.resumed == 0 ? "" : fmt::format("; {} of them in earlier runs", result.resumed));
  std::map<std::string, int> problems;
  for (const Finding& finding : result.findings) {
    if (!finding.problem.empty() && problems[finding.problem]++ == 0) {
      fmt::print("    rejected: {}: {}\n", Describe(finding.candidate), finding.problem);
    }
  }
  for (const Autoscheduled& kernel : result.autoscheduled) {
    fmt::print("  {}: {}{}{}\n", kernel.name,
               kernel.nanoseconds > 0 ? fmt::format("{:.3f} ns per bin", kernel.nanoseconds) : "",
               kernel.nanoseconds > 0 && !kernel.problem.empty() ? ", not usable: " : "", kernel.problem);
  }
  if (!result.row_kept.empty()) fmt::print("  its row stays as it was: {}\n", result.row_kept);
  fmt::print("  time over each knob: {}\n", result.picture.string());
}

void RunTune(const TuneOptions& options) {
  const TuneRequest request = ToRequest(options);
  if (options.dry_run) return PrintPlan(request);
  const std::vector<TuneResult> results = Tune(request);
  bool needs_build = false;
  for (const TuneResult& result : results) {
    PrintResult(result);
    needs_build |= NeedsBuild(result);
  }
  if (results.empty()) throw UserError("stopped before the first candidate was measured");
  fmt::print("rows: {}\n", request.output);
  fmt::print("use them: ROIPOOL_TUNING={}, or LoadTuning() and Options::tuning\n", request.output);
  if (needs_build) {
    fmt::print("not before a build that compiles their kernels: cmake --preset release -D ROIPOOL_TUNED_ROWS={}\n",
               std::filesystem::absolute(request.output).string());
  }
  if (IsInterrupted()) fmt::print("interrupted; the same command goes on from here\n");
}

}  // namespace

void AddTuneCommand(CLI::App* app) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app->add_subcommand("tune", "Search for better knobs on shapes of your own, and write them as rows");
  command
      ->add_option("--shapes", options->shapes,
                   "Names of A, B, C, D, E, or a file: name images channels height width rois pooled_h pooled_w")
      ->type_name("NAMES|FILE")
      ->capture_default_str();
  command->add_option("--types", options->types, "Element types")
      ->delimiter(',')
      ->check(CLI::IsMember({"f32", "f16", "bf16", "f64"}))
      ->type_name("TYPES")
      ->capture_default_str();
  command->add_option("--op", options->op, "Operator")
      ->check(CLI::IsMember({"roi_pool_grad", "roi_pool"}))
      ->type_name("")
      ->capture_default_str();
  AddThreadsOption(command, &options->run);
  command->add_option("--max-isa", options->run.max_isa, "Tune for no more than this")
      ->check(CLI::IsMember({"baseline", "avx2", "avx512"}))
      ->type_name("")
      ->capture_default_str();
  command->add_option("--budget", options->budget, "Time for all rows together")
      ->check(CLI::Range(1.0, 1e6))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--candidates", options->candidates, "End a row's search after so many; 0: when the time is up")
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--timeout", options->timeout, "End a candidate that takes so much more than 20 times the start")
      ->check(CLI::Range(0.1, 1e6))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--from", options->from, "Begin with these rows instead of the library's own")->type_name("FILE");
  command->add_option("--output", options->output, "Where rows go; other rows of the file stay")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--work-dir", options->work_dir, "Kernels, journals, pictures; else `tune` in the build tree")
      ->type_name("DIR");
  command->add_option("--generators", options->generators, "What compiles candidates; else that of the build tree")
      ->type_name("FILE");
  command->add_flag("--autoschedulers", options->autoschedulers, "Time what Halide's autoschedulers make, for comparison");
  command->add_flag("--fresh", options->fresh, "Forget what earlier runs found");
  command->add_flag("--dry-run", options->dry_run, "Say what would be searched, and stop");
  command->footer(kFooter);
  command->callback([options] { RunTune(*options); });
}

}  // namespace roipool::cli
