// Programs that the tuner starts, and can end whatever they do.
#ifndef ROIPOOL_CLI_TUNE_CHILD_PROCESS_H_
#define ROIPOOL_CLI_TUNE_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roipool::cli {

/// A program in a process group of its own, so that Ctrl-C at the terminal does not reach it and all that it starts can be
/// killed.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;
  /// Of a program that has ended when the system kept no status, as it does where SIGCHLD is ignored.
  static constexpr int kUnknownStatus = 255;

  /// Its stdin and stdout are pipes, its stderr goes to `log`. Throws std::runtime_error if it cannot be started.
  ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& log);
  /// Kills it, if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// False if it no longer listens.
  bool WriteLine(const std::string& line);
  /// Its next line; nothing if it ended, the time is up or `is_stopped`, which is asked some times a second, says so.
  std::optional<std::string> ReadLine(Clock::time_point deadline, const std::function<bool()>& is_stopped);
  /// Its exit status, or minus its signal, once it has ended; nothing at the deadline.
  std::optional<int> Wait(Clock::time_point deadline);
  void Kill();

 private:
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;  // Our ends of its pipes.
  std::string unread_;
  std::optional<int> status_;
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_CHILD_PROCESS_H_
