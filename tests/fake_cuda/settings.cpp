#include "settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace roipool::fake_cuda {
namespace {

uint64_t Num(const char* name, uint64_t def) {
  const char* s = getenv(name);
  return s && *s ? strtoull(s, nullptr, 0) : def;
}
int Choice(const char* name, const std::vector<const char*>& words, int def) {
  const char* s = getenv(name);
  if (!s || !*s) return def;
  for (size_t i = 0; i < words.size(); i++)
    if (!strcmp(s, words[i])) return static_cast<int>(i);
  fprintf(stderr, "fake_cuda: %s=%s is not understood\n", name, s);
  _exit(2);
}

Settings Read() {
  Settings settings;
  settings.race = static_cast<Level>(Choice("FAKE_CUDA_RACE", {"off", "warn", "error"}, settings.race));
  settings.init = static_cast<Level>(Choice("FAKE_CUDA_INIT", {"off", "warn", "error"}, settings.init));
  settings.leak = static_cast<Level>(Choice("FAKE_CUDA_LEAK", {"off", "warn", "error"}, settings.leak));
  settings.order = static_cast<Order>(Choice("FAKE_CUDA_ORDER", {"forward", "reverse", "random"}, settings.order));
  settings.seed = Num("FAKE_CUDA_SEED", settings.seed);
  settings.quantum = Num("FAKE_CUDA_QUANTUM", settings.quantum);
  settings.resident = std::max<uint64_t>(1, Num("FAKE_CUDA_RESIDENT", settings.resident));
  settings.max_steps = Num("FAKE_CUDA_MAX_STEPS", settings.max_steps);
  settings.max_reports = Num("FAKE_CUDA_MAX_REPORTS", settings.max_reports);
  settings.mem_mb = Num("FAKE_CUDA_MEM_MB", settings.mem_mb);
  settings.shared_max = Num("FAKE_CUDA_SHARED_MAX", settings.shared_max);
  settings.exit_code = Num("FAKE_CUDA_EXITCODE", settings.exit_code);
  settings.abort_on_error = Num("FAKE_CUDA_ABORT", 0) != 0;
  settings.verbose = Num("FAKE_CUDA_VERBOSE", 0) != 0;
  settings.async = Num("FAKE_CUDA_ASYNC", 1) != 0;
  settings.strict = Num("FAKE_CUDA_STRICT", 0) != 0;
  if (const char* s = getenv("FAKE_CUDA_CC")) {
    if (sscanf(s, "%d.%d", &settings.cc_major, &settings.cc_minor) != 2) {
      fprintf(stderr, "fake_cuda: FAKE_CUDA_CC=%s is not MAJOR.MINOR\n", s);
      _exit(2);
    }
  }
  if (const char* s = getenv("FAKE_CUDA_FAIL")) settings.fail = s;
  return settings;
}

Settings& Instance() {
  static Settings settings = Read();
  if (const char* s = getenv("FAKE_CUDA_FAIL")) settings.fail = s;
  return settings;
}

}  // namespace

const Settings& CurrentSettings() { return Instance(); }

void ReadSettings() { Instance() = Read(); }

}  // namespace roipool::fake_cuda
