#include "cpu_features.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "environment.h"
#include "status_matchers.h"

namespace roipool::internal {
namespace {

using test::ScopedIsaCap;

// The operating system's own list of what the CPU can do.
std::set<std::string> FlagsOfCpu() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(CpuFeatures, DetectsWhatTheSystemLists) {
  const std::set<std::string> flags = FlagsOfCpu();
  if (flags.empty()) GTEST_SKIP() << "/proc/cpuinfo lists no flags here";
  const auto has = [&](std::initializer_list<const char*> wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const char* flag) { return flags.count(flag) != 0; });
  };
  const bool avx2 = has({"avx2", "fma", "f16c"});
  const bool avx512 = avx2 && has({"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"});
  EXPECT_EQ(DetectIsa(), avx512 ? Isa::kAvx512 : avx2 ? Isa::kAvx2 : Isa::kBaseline);
}

TEST(CpuFeatures, EnvironmentLowersTheCapAndNeverRaisesIt) {
  constexpr Isa kAll[] = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};
  for (const Isa environment : kAll) {
    const ScopedIsaCap scoped(IsaName(environment));
    for (const Isa option : kAll) {
      Isa cap = option;
      ASSERT_OK(LowerIsaByEnvironment("F", &cap));
      EXPECT_EQ(cap, std::min(option, environment));
    }
  }
}

TEST(CpuFeatures, UnsetOrEmptyEnvironmentIsNoCap) {
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedIsaCap scoped(value);
    Isa cap = Isa::kAvx512;
    ASSERT_OK(LowerIsaByEnvironment("F", &cap));
    EXPECT_EQ(cap, Isa::kAvx512);
  }
}

TEST(CpuFeatures, EnvironmentWithAnotherWordIsAnError) {
  for (const char* value : {"AVX2", "sse2", "avx2 ", "1", "avx512f"}) {
    const ScopedIsaCap scoped(value);
    Isa cap = Isa::kAvx512;
    EXPECT_FAILS(LowerIsaByEnvironment("F", &cap), StatusCode::kInvalidArgument, "F: ", "ROIPOOL_MAX_ISA", value,
                 "baseline, avx2 or avx512");
    EXPECT_EQ(cap, Isa::kAvx512);
  }
}

TEST(CpuFeatures, UsableCpusFollowTheAffinity) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(UsableCpuCount(), std::min(CPU_COUNT(&before), kMaxThreads));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCpuCount(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(CpuFeatures, IsaNames) {
  EXPECT_STREQ(IsaName(Isa::kBaseline), "baseline");
  EXPECT_STREQ(IsaName(Isa::kAvx2), "avx2");
  EXPECT_STREQ(IsaName(Isa::kAvx512), "avx512");
  EXPECT_STREQ(IsaName(static_cast<Isa>(9)), "unknown");
}

}  // namespace
}  // namespace roipool::internal
