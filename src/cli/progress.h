// Tells someone who waits at a terminal what the program is doing.
#ifndef ROIPOOL_CLI_PROGRESS_H_
#define ROIPOOL_CLI_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace roipool::cli {

/// While it lives, and once it has lived for a second, shows a line with the current step and the elapsed time on stderr, if
/// that is a terminal; the line is gone when it dies. Print nothing else meanwhile.
class Progress {
 public:
  /// `command` begins the line, e.g. "roipool grad".
  explicit Progress(std::string command);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// From now on the work is `step`, e.g. "reading g.npy".
  void SetStep(const std::string& step);

 private:
  void ShowUntilStopped();

  std::string command_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable stop_changed_;
  std::string step_;
  bool stop_ = false;
  std::thread shower_;  // Not started unless stderr is a terminal.
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_PROGRESS_H_
