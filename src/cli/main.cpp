// The roipool program: its commands, and how it ends.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>

#include "commands.h"
#include "help_formatter.h"
#include "roipool/kernels.h"
#include "user_error.h"

namespace {

constexpr int kBadInput = 2;
constexpr int kInternalFault = 1;
constexpr const char* kNoOutput = "cannot write to standard output";

// Says on one line, whatever the message holds, what went wrong and in which command.
int Report(const CLI::App& app, int status, std::string message) {
  std::replace_if(message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  const auto commands = app.get_subcommands();
  fmt::print(stderr, "roipool{}: {}\n", commands.empty() ? "" : " " + commands.front()->get_name(), message);
  return status;
}

std::string HelpHint(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return fmt::format("see roipool {}--help", commands.empty() ? "" : commands.front()->get_name() + " ");
}

void AddCommands(CLI::App* app) {
  app->set_version_flag("--version", fmt::format("roipool {}", roipool::Version()), "Print the version and exit");
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->require_subcommand(1);
  app->formatter(std::make_shared<roipool::cli::HelpFormatter>());
  roipool::cli::AddDemoCommand(app);
  roipool::cli::AddGradCommand(app);
  roipool::cli::AddPoolCommand(app);
  roipool::cli::AddTargetsCommand(app);
  roipool::cli::AddTuneCommand(app);
  app->footer(
      "Give --help after a command for its options and an example. Exit status: 0 done, 2 bad input (one\n"
      "line on stderr says what), 1 a fault of the program. Environment variables: ROIPOOL_MAX_ISA\n"
      "(baseline, avx2, avx512) caps the instruction set for every command, ROIPOOL_SCHEDULE names a\n"
      "schedule, and ROIPOOL_TUNING a file of tuned rows.");
}

int Run(CLI::App* app, int argc, char** argv) {
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app->exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const bool has_command = !app->get_subcommands().empty();
    const std::string first = argc > 1 ? argv[1] : "";
    const std::string problem =
        has_command || first.empty() || first[0] == '-' ? error.what() : fmt::format("'{}' is not a command", first);
    return Report(*app, kBadInput, fmt::format("{}; {}", problem, HelpHint(*app)));
  }
  if (std::fflush(stdout) != 0 || !std::cout.flush()) throw roipool::cli::UserError(kNoOutput);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("roipool: RoI max pooling and its gradient, as Halide kernels for this machine.", "roipool");
  try {
    AddCommands(&app);
    return Run(&app, argc, argv);
  } catch (const roipool::cli::UserError& error) {
    return Report(app, kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return Report(app, kBadInput, "not enough memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return Report(app, kBadInput, kNoOutput);
    return Report(app, kInternalFault, fmt::format("internal fault: {}", error.what()));
  }
}
