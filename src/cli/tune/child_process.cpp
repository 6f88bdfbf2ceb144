#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace roipool::cli {
namespace {

std::array<int, 2> MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return ends;
}

// Whoever asks to stop, be it by a signal that another thread took, is heard after so many milliseconds.
constexpr int64_t kLongestPoll = 100;

int MillisecondsUntil(ChildProcess::Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - ChildProcess::Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left + 1, 0, kLongestPoll));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& log) {
  const auto [its_input, our_output] = MakePipe();
  const auto [our_input, its_output] = MakePipe();
  input_ = our_output;
  output_ = our_input;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, its_input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, its_output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int error = posix_spawnp(&pid_, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(its_input);
  close(its_output);
  if (error != 0) {
    close(input_);
    close(output_);
    throw std::runtime_error(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
  }
}

ChildProcess::~ChildProcess() {
  Kill();
  close(input_);
  close(output_);
}

void ChildProcess::Kill() {
  if (status_) return;
  kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = -SIGKILL;
}

bool ChildProcess::WriteLine(const std::string& line) {
  const std::string text = line + "\n";
  size_t written = 0;
  while (written < text.size()) {
    // SIGPIPE is ignored; see Tune().
    const ssize_t result = write(input_, text.data() + written, text.size() - written);
    if (result < 0 && errno != EINTR) return false;
    if (result > 0) written += static_cast<size_t>(result);
  }
  return true;
}

std::optional<std::string> ChildProcess::ReadLine(Clock::time_point deadline, const std::function<bool()>& is_stopped) {
  for (size_t searched = 0;;) {
    const size_t end = unread_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    searched = unread_.size();
    if (Clock::now() >= deadline || is_stopped()) return {};
    pollfd waiting = {output_, POLLIN, 0};
    const int ready = poll(&waiting, 1, MillisecondsUntil(deadline));
    if (ready <= 0) continue;
    std::array<char, 4096> text{};
    const ssize_t count = read(output_, text.data(), text.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return {};
    if (count > 0) unread_.append(text.data(), static_cast<size_t>(count));
  }
}

std::optional<int> ChildProcess::Wait(Clock::time_point deadline) {
  while (!status_) {
    int status = 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    } else if (ended < 0 && errno != EINTR) {
      status_ = kUnknownStatus;
    } else if (Clock::now() >= deadline) {
      return {};
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return status_;
}

}  // namespace roipool::cli
