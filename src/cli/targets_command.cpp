#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "roipool/kernels.h"
#include "run_options.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

struct TargetsRequest {
  std::string type;  // Empty: all; so for the next one.
  std::string op;
  RunOptions run;
};

constexpr const char* kFooter =
    "Kernels are listed best first; for each operator and type, a call uses the first one that is not\n"
    "refused, marked with ->.\n"
    "\n"
    "Example: what a call would use on a CPU without AVX-512\n"
    "  roipool targets --op roi_pool_grad --type f32 --max-isa avx2";

std::vector<KernelExplanation> ExplainKernels(const TargetsRequest& request) {
  const Options options = ToOptions(request.run);
  std::vector<KernelExplanation> kernels;
  for (int64_t index = 0; index < KernelCount(); ++index) {
    KernelExplanation kernel;
    ThrowIfError(ExplainKernel(index, options, &kernel));
    if (!request.type.empty() && request.type != DataTypeName(kernel.type)) continue;
    if (!request.op.empty() && request.op != OperatorName(kernel.op)) continue;
    kernels.push_back(kernel);
  }
  return kernels;
}

void RunTargets(const TargetsRequest& request) {
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
  AddKernelOptions(command, &request->run);
  command->footer(kFooter);
  command->callback([request] { RunTargets(*request); });
}

}  // namespace roipool::cli
