#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "pooling.h"
#include "roipool/kernels.h"
#include "run_options.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

struct TargetsRequest {
  std::string type;  // Empty: all; so for the next one.
  std::string op;
  std::string shape;
  bool knobs = false;
  RunOptions run;
};

constexpr const char* kFooter =
    "Kernels are listed best first; for each operator and type, a call uses the first one that is not\n"
    "refused, marked with ->, unless a tuned row for its class of shapes names another: see --shape.\n"
    "\n"
    "Whether this machine has a GPU is not looked at.\n"
    "\n"
    "Examples: what a call would use on a CPU without AVX-512; on a GPU; what a call of shape A uses here\n"
    "  roipool targets --op roi_pool_grad --type f32 --max-isa avx2\n"
    "  roipool targets --device cuda --accumulation fixed_point\n"
    "  roipool targets --op roi_pool_grad --type f32 --shape 2,256,50,68,1024,7,7";

bool IsWanted(const std::string& wanted, const char* name) { return wanted.empty() || wanted == name; }

std::vector<KernelExplanation> ExplainKernels(const TargetsRequest& request) {
  const Options options = ToOptions(request.run);
  std::vector<KernelExplanation> kernels;
  for (int64_t index = 0; index < KernelCount(); ++index) {
    KernelExplanation kernel;
    ThrowIfError(ExplainKernel(index, options, &kernel));
    if (!IsWanted(request.type, DataTypeName(kernel.type)) || !IsWanted(request.op, OperatorName(kernel.op))) continue;
    kernels.push_back(kernel);
  }
  return kernels;
}

void PrintKnobs(const TargetsRequest& request) {
  for (int64_t index = 0; index < KnobCount(); ++index) {
    KnobExplanation knob;
    ThrowIfError(ExplainKnob(index, &knob));
    if (!IsWanted(request.op, OperatorName(knob.op))) continue;
    fmt::print("{} {} {}: default {}, {} to {}; {}\n", OperatorName(knob.op),
               knob.schedule == nullptr ? "every call" : knob.schedule, knob.name, knob.initial, knob.smallest, knob.largest,
               knob.meaning);
  }
}

bool HasSchedule(Operator op, const RunOptions& run) {
  Options options = ToOptions(run);
  options.schedule = nullptr;  // Which an operator without it would refuse.
  for (int64_t index = 0; index < KernelCount(); ++index) {
    KernelExplanation kernel;
    ThrowIfError(ExplainKernel(index, options, &kernel));
    if (kernel.op == op && kernel.device == options.device && kernel.schedule == run.schedule) return true;
  }
  return false;
}

// Those that `targets` is asked about: of no operator in particular, with a schedule, those that have it.
std::vector<Operator> WantedOperators(const TargetsRequest& request) {
  std::vector<Operator> wanted, with_schedule;
  for (const Operator op : {Operator::kRoiPoolGrad, Operator::kRoiPool}) {
    if (!IsWanted(request.op, OperatorName(op))) continue;
    wanted.push_back(op);
    if (HasSchedule(op, request.run)) with_schedule.push_back(op);
  }
  return with_schedule.empty() ? wanted : with_schedule;
}

void PrintChoices(const TargetsRequest& request) {
  const std::vector<int64_t> extents = ParseExtents("--shape", request.shape, 7, 1);
  const std::vector<int64_t> map(extents.begin(), extents.begin() + 4);
  const Options options = ToOptions(request.run);
  for (const Operator op : WantedOperators(request)) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      if (!IsWanted(request.type, DataTypeName(type))) continue;
      const ExecutorPtr executor = PlanWithoutData(op, type, map, {extents[4], extents[1], extents[5], extents[6]}, options);
      const std::string tuning = TuningOf(*executor).text;
      fmt::print("-> {}\n   {}\n", KernelName(*executor), tuning.empty() ? "nothing to tune" : tuning);
    }
  }
}

void RunTargets(const TargetsRequest& request) {
  if (request.knobs) return PrintKnobs(request);
  if (!request.shape.empty()) return PrintChoices(request);
  const std::vector<KernelExplanation> kernels = ExplainKernels(request);
  size_t width = 0;
  for (const KernelExplanation& kernel : kernels) width = std::max(width, std::string(kernel.name).size());
  fmt::print("This CPU offers {}. {} of {} kernels:\n", IsaName(DetectIsa()), kernels.size(), KernelCount());
  for (const KernelExplanation& kernel : kernels) {
    fmt::print("{} {:<{}}  {}\n", kernel.chosen ? "->" : "  ", kernel.name, width, kernel.reason);
  }
  if (std::none_of(kernels.begin(), kernels.end(), [](const KernelExplanation& kernel) { return kernel.chosen; })) {
    throw UserError("no kernel would be used with these options");
  }
}

}  // namespace

void AddTargetsCommand(CLI::App* app) {
  auto request = std::make_shared<TargetsRequest>();
  CLI::App* command = app->add_subcommand("targets", "List the kernels: which one a call would use, why not the others");
  command->add_option("--type", request->type, "Only kernels of this type")
      ->check(CLI::IsMember({"f32", "f16", "bf16", "f64"}))
      ->type_name("");
  command->add_option("--op", request->op, "Only kernels of this operator")
      ->check(CLI::IsMember({"roi_pool_grad", "roi_pool"}))
      ->type_name("");
  command->add_option("--shape", request->shape, "What a call of this shape uses, its class, and the tuned row that says so")
      ->type_name("N,C,H,W,R,PH,PW");
  command->add_flag("--knobs", request->knobs, "What may be tuned");
  AddKernelOptions(command, &request->run);
  AddDeviceOption(command, "Whose kernels are listed", {"cpu", "cuda", "opencl"}, &request->run);
  AddAccumulationOption(command, &request->run);
  command->footer(kFooter);
  command->callback([request] { RunTargets(*request); });
}

}  // namespace roipool::cli
