#include "run_options.h"

#include <fmt/format.h>

#include <charconv>

#include "roipool/kernels.h"
#include "user_error.h"

namespace roipool::cli {

void AddKernelOptions(CLI::App* command, RunOptions* options) {
  command->add_option("--max-isa", options->max_isa, "Use no kernel that needs more than this")
      ->check(CLI::IsMember({"baseline", "avx2", "avx512"}))
      ->type_name("")
      ->capture_default_str();
  command->add_option("--schedule", options->schedule, "Use kernels of this schedule, e.g. reference; else the best")
      ->type_name("NAME");
}

void AddDeviceOption(CLI::App* command, const std::string& description, const std::vector<std::string>& devices,
                     RunOptions* options) {
  command->add_option("--device", options->device, description)
      ->check(CLI::IsMember(devices))
      ->type_name("")
      ->capture_default_str();
}

void AddAccumulationOption(CLI::App* command, RunOptions* options) {
  command
      ->add_option("--accumulation", options->accumulation,
                   "How the gradient is added up; fixed_point has the same bits on every device")
      ->check(CLI::IsMember({"float", "fixed_point"}))
      ->type_name("")
      ->capture_default_str();
}

void AddThreadsOption(CLI::App* command, RunOptions* options) {
  command->add_option("--threads", options->threads, "Use at most this many threads; 0: one for each CPU")
      ->check(CLI::Range(0, kMaxThreads))
      ->type_name("COUNT")
      ->capture_default_str();
}

Options ToOptions(const RunOptions& options) {
  Options result;
  result.threads = options.threads;
  result.schedule = options.schedule.empty() ? nullptr : options.schedule.c_str();
  for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (options.max_isa == IsaName(isa)) result.max_isa = isa;
  }
  for (Device device : {Device::kCpu, Device::kCuda, Device::kOpenCl}) {
    if (options.device == DeviceName(device)) result.device = device;
  }
  for (Accumulation accumulation : {Accumulation::kFloat, Accumulation::kFixedPoint}) {
    if (options.accumulation == AccumulationName(accumulation)) result.accumulation = accumulation;
  }
  return result;
}

std::vector<int64_t> ParseExtents(const std::string& option, const std::string& text, size_t count, int64_t smallest) {
  std::vector<int64_t> extents;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool readable = true;
  while (readable) {
    int64_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    readable = error == std::errc() && extent >= smallest;
    extents.push_back(extent);
    at = stop;
    if (at == end) break;
    readable = readable && (*at == ',' || *at == 'x');
    ++at;
  }
  if (readable && extents.size() == count) return extents;
  throw UserError(
      fmt::format("{} is '{}', must be {} whole numbers of at least {}, separated by commas", option, text, count, smallest));
}

}  // namespace roipool::cli
