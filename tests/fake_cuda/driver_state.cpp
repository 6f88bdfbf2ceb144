#include "driver_state.h"

#include <unistd.h>

#include <cstdio>

#include "device_memory.h"
#include "report.h"
#include "settings.h"

namespace roipool::fake_cuda {

thread_local ContextStack context_stack;

namespace {

void CheckLeaks() {
  if (CurrentSettings().leak == kOff) return;
  for (const Region* region : GlobalMemory().slots) {
    if (region->freed || region->name.rfind("allocation", 0) != 0) continue;
    const std::string text = Format("not freed when the context ends: %s (%lu bytes)", region->name.c_str(), region->size);
    if (CurrentSettings().leak == kError) {
      Complain(text);
    } else {
      Warn(text);
    }
  }
}

// Runs after the destructors of the program.
__attribute__((destructor)) void Finish() {
  const Settings& settings = CurrentSettings();
  if (settings.verbose || totals.errors > 0 || totals.warnings > 0) {
    Say(Format("%lu launches, %lu instructions, %lu errors, %lu warnings, peak device memory %lu bytes", totals.launches,
               totals.instructions, totals.errors, totals.warnings, GlobalMemory().peak));
  }
  if (settings.exit_code != 0 && totals.errors > 0) {
    std::fflush(nullptr);
    _exit(static_cast<int>(settings.exit_code));
  }
}

}  // namespace

DriverState& State() {
  static DriverState* const state = new DriverState;  // never destroyed: programs use CUDA in exit handlers
  return *state;
}

std::map<uint64_t, uint64_t>::const_iterator DriverState::PinnedRange(uint64_t address) const {
  auto range = pinned.upper_bound(address);
  if (range == pinned.begin()) return pinned.end();
  --range;
  return address - range->first < range->second ? range : pinned.end();
}

void ReleaseContext() {
  if (--State().context.references > 0) return;
  State().error = kSuccess;
  CheckLeaks();
}

}  // namespace roipool::fake_cuda
