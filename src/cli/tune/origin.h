// Where findings come from.
#ifndef ROIPOOL_SRC_CLI_TUNE_ORIGIN_H_
#define ROIPOOL_SRC_CLI_TUNE_ORIGIN_H_

#include <filesystem>
#include <string>
#include <vector>

namespace roipool::cli {

/// What findings hold for: other kernels or another CPU give other times.
struct Origin {
  std::string commit, cpu, programs;
};

/// Of this machine, the sources of this program as they are now, and these programs. `folder` is for a log. Throws UserError
/// for a program that cannot be read.
Origin FindOrigin(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& programs);

/// A hash of the files' contents. Throws UserError for one that cannot be read.
std::string HashOf(const std::vector<std::filesystem::path>& files);

/// "2026-12-02"
std::string Today();

}  // namespace roipool::cli

#endif  // ROIPOOL_SRC_CLI_TUNE_ORIGIN_H_
