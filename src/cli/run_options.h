// The options that every command which runs a kernel shares.
#ifndef ROIPOOL_CLI_RUN_OPTIONS_H_
#define ROIPOOL_CLI_RUN_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "roipool/options.h"
#include "roipool/tensor.h"

namespace roipool::cli {

struct RunOptions {
  int threads = 0;
  std::string max_isa = "avx512";
  std::string schedule;  ///< Empty: the best one.
  std::string device = "cpu";
  std::string accumulation = "float";
};

/// --max-isa and --schedule.
void AddKernelOptions(CLI::App* command, RunOptions* options);
/// The description of --device in commands that compute with arrays of this program.
constexpr const char* kDeviceOfArrays = "Where it is computed; cuda is for programs, whose tensors are device memory";
/// --device, one of `devices`.
void AddDeviceOption(CLI::App* command, const std::string& description, const std::vector<std::string>& devices,
                     RunOptions* options);
/// --accumulation.
void AddAccumulationOption(CLI::App* command, RunOptions* options);
/// --threads.
void AddThreadsOption(CLI::App* command, RunOptions* options);

/// The library's options; they point into `options`.
Options ToOptions(const RunOptions& options);

/// Whole numbers of at least `smallest`, separated by commas or x, e.g. "7,7" or "7x7". Throws UserError with the option's name
/// unless there are exactly `count`.
std::vector<int64_t> ParseExtents(const std::string& option, const std::string& text, size_t count, int64_t smallest);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_RUN_OPTIONS_H_
