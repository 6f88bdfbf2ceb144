#include "origin.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "child_process.h"
#include "interrupt.h"
#include "roipool/kernels.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

std::string CpuName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

// The commit that the folder of this program's sources is at now; the library's version if git or its repository is not there.
std::string CommitOfSources(const std::filesystem::path& folder) {
  try {
    ChildProcess git({"git", "-C", ROIPOOL_SOURCE_FOLDER, "rev-parse", "--short", "HEAD"}, folder / "git.log");
    return git.ReadLine(ChildProcess::Clock::now() + std::chrono::seconds(10), IsInterrupted).value_or(Version());
  } catch (const std::runtime_error&) {
    return Version();
  }
}

}  // namespace

Origin FindOrigin(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& programs) {
  return {CommitOfSources(folder), CpuName(), HashOf(programs)};
}

std::string HashOf(const std::vector<std::filesystem::path>& files) {
  // FNV-1a: it tells builds apart and guards nothing.
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw UserError(fmt::format("cannot read '{}'", path.string()));
    for (auto byte = std::istreambuf_iterator<char>(file); byte != std::istreambuf_iterator<char>(); ++byte) {
      hash = (hash ^ static_cast<unsigned char>(*byte)) * 0x100000001b3;
    }
  }
  return fmt::format("{:016x}", hash);
}

std::string Today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

}  // namespace roipool::cli
