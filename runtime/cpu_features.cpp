#include "cpu_features.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "make_status.h"

namespace roipool {
namespace internal {
namespace {

constexpr Isa kIsas[] = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};

}  // namespace

Status LowerIsaByEnvironment(const char* function, Isa* cap) noexcept {
  const char* value = std::getenv("ROIPOOL_MAX_ISA");
  if (value == nullptr || *value == '\0') return {};
  for (Isa isa : kIsas) {
    if (std::strcmp(value, IsaName(isa)) == 0) {
      *cap = std::min(*cap, isa);
      return {};
    }
  }
  return MakeStatus(StatusCode::kInvalidArgument,
                    "%s: the environment variable ROIPOOL_MAX_ISA is \"%.40s\", must be baseline, avx2 or avx512", function,
                    value);
}

int32_t UsableCpuCount() noexcept {
#if defined(__linux__)
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0) return std::clamp(CPU_COUNT(&cpus), 1, kMaxThreads);
#endif
  return std::clamp(static_cast<int32_t>(std::thread::hardware_concurrency()), 1, kMaxThreads);
}

}  // namespace internal

Isa DetectIsa() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return avx512 ? Isa::kAvx512 : avx2 ? Isa::kAvx2 : Isa::kBaseline;
#else
  return Isa::kBaseline;
#endif
}

const char* IsaName(Isa isa) noexcept {
  switch (isa) {
    case Isa::kBaseline:
      return "baseline";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
  }
  return "unknown";
}

}  // namespace roipool
