// Runs the built program and catches what it says.
#ifndef ROIPOOL_TESTS_CLI_RUN_PROGRAM_H_
#define ROIPOOL_TESTS_CLI_RUN_PROGRAM_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roipool::test {

struct ProgramRun {
  int status = -1;  ///< Minus the signal's number if a signal ended it.
  std::string output;
  std::string errors;
};

/// Runs `roipool arguments...`. `environment` holds settings like NAME=value on top of this process's.
ProgramRun RunProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

/// The same with stdout going to `output_path`.
ProgramRun RunProgramInto(const std::string& output_path, const std::vector<std::string>& arguments);

/// Whether the run ended as bad input must: with status 2, and one line on stderr that begins with `begin` and holds `part`.
::testing::AssertionResult IsRefused(const ProgramRun& run, const std::string& begin, const std::string& part);

/// Whether the run ended with status 0 and nothing on stderr.
::testing::AssertionResult IsDone(const ProgramRun& run);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_CLI_RUN_PROGRAM_H_
