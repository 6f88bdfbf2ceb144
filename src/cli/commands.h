// The program's commands: each adds itself, with its options and its help, and runs when it is parsed.
#ifndef ROIPOOL_CLI_COMMANDS_H_
#define ROIPOOL_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>

namespace roipool::cli {

void AddDemoCommand(CLI::App* app);
void AddGradCommand(CLI::App* app);
void AddPoolCommand(CLI::App* app);
void AddTargetsCommand(CLI::App* app);
void AddTuneCommand(CLI::App* app);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_COMMANDS_H_
