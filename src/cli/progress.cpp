#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace roipool::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kRefresh{200};
constexpr const char* kClearLine = "\r\033[K";

size_t TerminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(std::string command) : command_(std::move(command)), start_(std::chrono::steady_clock::now()) {
  if (isatty(STDERR_FILENO)) shower_ = std::thread([this] { ShowUntilStopped(); });
}

Progress::~Progress() {
  if (!shower_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_changed_.notify_one();
  shower_.join();
}

void Progress::SetStep(const std::string& step) {
  const std::lock_guard lock(mutex_);
  step_ = step;
}

void Progress::ShowUntilStopped() {
  std::unique_lock lock(mutex_);
  if (stop_changed_.wait_for(lock, kPatience, [this] { return stop_; })) return;
  while (!stop_) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    // A line that the terminal breaks in two could not be cleared.
    const std::string line = fmt::format("{}: {} ({:.0f} s)", command_, step_, elapsed.count()).substr(0, TerminalWidth() - 1);
    fmt::print(stderr, "{}{}", kClearLine, line);
    std::fflush(stderr);
    stop_changed_.wait_for(lock, kRefresh, [this] { return stop_; });
  }
  fmt::print(stderr, "{}", kClearLine);
  std::fflush(stderr);
}

}  // namespace roipool::cli
