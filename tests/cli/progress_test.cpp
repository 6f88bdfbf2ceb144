// Who waits at a terminal sees what is going on; nobody else is disturbed.
#include "progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace roipool::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// What a second process shows on `file_descriptor` as its stderr, while it works for `duration`.
void WorkInChild(int file_descriptor, std::chrono::milliseconds duration) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    dup2(file_descriptor, STDERR_FILENO);
    {
      cli::Progress progress("roipool test");
      progress.SetStep("waiting");
      std::this_thread::sleep_for(duration);
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

std::string ReadWhatIsThere(int file_descriptor) {
  std::string text;
  char buffer[4096];
  pollfd waiting{file_descriptor, POLLIN, 0};
  while (poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLIN) != 0) {
    const ssize_t count = read(file_descriptor, buffer, sizeof(buffer));
    if (count <= 0) break;
    text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

std::string ShownOnTerminal(std::chrono::milliseconds duration) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) throw std::runtime_error("no pseudo terminal");
  const int programs_end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  WorkInChild(programs_end, duration);
  const std::string shown = ReadWhatIsThere(terminal);
  close(programs_end);
  close(terminal);
  return shown;
}

TEST(Progress, ShowsLongWorkAndClearsTheLine) {
  const std::string shown = ShownOnTerminal(std::chrono::milliseconds(1600));
  EXPECT_THAT(shown, HasSubstr("roipool test: waiting (1 s)"));
  EXPECT_THAT(shown, EndsWith("\r\033[K"));
}

TEST(Progress, IsSilentAboutShortWork) { EXPECT_EQ(ShownOnTerminal(std::chrono::milliseconds(100)), ""); }

TEST(Progress, IsSilentIfNobodyWaitsAtATerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  WorkInChild(ends[1], std::chrono::milliseconds(1300));
  EXPECT_EQ(ReadWhatIsThere(ends[0]), "");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace roipool::test
