#include "interrupt.h"

#include <atomic>

namespace roipool::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

InterruptScope::InterruptScope() {
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_);
  sigaction(SIGTERM, &action, &before_term_);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &before_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

bool IsInterrupted() { return interrupted; }

}  // namespace roipool::cli
