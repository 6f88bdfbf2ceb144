// Ctrl-C, as the tuner takes it: the first one asks for an end, the second one is the end.
#ifndef ROIPOOL_CLI_TUNE_INTERRUPT_H_
#define ROIPOOL_CLI_TUNE_INTERRUPT_H_

#include <csignal>
#include <exception>

namespace roipool::cli {

/// Thrown by what was asked to stop before it was done, because of Ctrl-C or since the time is up.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, the first SIGINT and the first SIGTERM set a flag; the next one ends the program. Begins with a clear
/// flag.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  struct sigaction before_ = {}, before_term_ = {};
};

/// Whether a signal came in the latest scope.
bool IsInterrupted();

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_INTERRUPT_H_
