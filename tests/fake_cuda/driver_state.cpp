#include "driver_state.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "device_memory.h"
#include "report.h"
#include "settings.h"
#include "streams.h"

namespace roipool::fake_cuda {

thread_local ContextStack context_stack;

namespace {

void ReportLeak(const char* end, const std::string& what, uint64_t size) {
  const std::string text = Format("not freed when the %s ends: %s (%lu bytes)", end, what.c_str(), size);
  if (CurrentSettings().leak == kError) {
    Complain(text);
  } else {
    Warn(text);
  }
}

// What the program has allocated: variables of modules go with their module, which the driver unloads.
void CheckLeaks(const char* end) {
  if (CurrentSettings().leak == kOff) return;
  for (const Region* region : GlobalMemory().slots) {
    if (region->freed || region->free_is_queued || region->name.rfind("allocation", 0) != 0) continue;
    ReportLeak(end, region->name, region->size);
  }
  for (const auto& [address, memory] : State().pinned)
    if (memory.is_allocation) ReportLeak(end, Format("host memory at 0x%lx", address), memory.size);
}

// As the driver does with a context.
void DestroyContents() {
  AllStreams().DestroyAll();
  State().kernels.clear();
  State().modules.clear();
  for (Region* region : GlobalMemory().slots)
    if (!region->freed) GlobalMemory().Release(region);
  for (const auto& [address, memory] : State().pinned)
    if (memory.is_allocation) std::free(reinterpret_cast<void*>(address));
  State().pinned.clear();
}

// Runs after the destructors of the program.
__attribute__((destructor)) void Finish() {
  const std::lock_guard lock(State().mutex);
  const Settings& settings = CurrentSettings();
  CheckLeaks("process");
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

std::map<uint64_t, PinnedMemory>::const_iterator DriverState::PinnedRange(uint64_t address) const {
  auto range = pinned.upper_bound(address);
  if (range == pinned.begin()) return pinned.end();
  --range;
  return address - range->first < range->second.size ? range : pinned.end();
}

void ReleaseContext() {
  if (--State().context.references > 0) return;
  State().error = kSuccess;
  CheckLeaks("context");
  DestroyContents();
}

}  // namespace roipool::fake_cuda
