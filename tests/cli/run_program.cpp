#include "run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "temporary_folder.h"

namespace roipool::test {
namespace {

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void ExecProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                              const std::string& output_path, const std::string& errors_path) {
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(output_path.c_str(), O_WRONLY | O_CREAT, 0600);
  const int errors = open(errors_path.c_str(), O_WRONLY | O_CREAT, 0600);
  if (input < 0 || output < 0 || errors < 0) _exit(125);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (const std::string& setting : environment) putenv(const_cast<char*>(setting.c_str()));
  std::vector<char*> argv = {const_cast<char*>(ROIPOOL_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(ROIPOOL_PROGRAM, argv.data());
  _exit(126);
}

ProgramRun Run(const std::string& output_path, const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  const std::string errors_path = folder.File("errors");
  const std::string chosen_output = output_path.empty() ? folder.File("output") : output_path;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start " ROIPOOL_PROGRAM);
  if (child == 0) ExecProgram(arguments, environment, chosen_output, errors_path);
  int state = 0;
  if (waitpid(child, &state, 0) != child) throw std::runtime_error("lost " ROIPOOL_PROGRAM);
  ProgramRun run;
  run.status = WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
  run.errors = ReadAll(errors_path);
  if (output_path.empty()) run.output = ReadAll(chosen_output);
  return run;
}

}  // namespace

ProgramRun RunProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  return Run("", arguments, environment);
}

ProgramRun RunProgramInto(const std::string& output_path, const std::vector<std::string>& arguments) {
  return Run(output_path, arguments, {});
}

::testing::AssertionResult IsRefused(const ProgramRun& run, const std::string& begin, const std::string& part) {
  const auto failure = [&](const std::string& problem) {
    return ::testing::AssertionFailure() << problem << "; status " << run.status << ", stderr: " << run.errors;
  };
  if (run.status != 2) return failure("the status is not 2");
  if (std::count(run.errors.begin(), run.errors.end(), '\n') != 1 || run.errors.back() != '\n') return failure("not one line");
  if (run.errors.rfind(begin, 0) != 0) return failure("the line does not begin with '" + begin + "'");
  if (run.errors.find(part) == std::string::npos) return failure("the line does not hold '" + part + "'");
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult IsDone(const ProgramRun& run) {
  if (run.status == 0 && run.errors.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "status " << run.status << ", stderr: " << run.errors;
}

}  // namespace roipool::test
