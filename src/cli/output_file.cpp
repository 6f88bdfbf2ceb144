#include "output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "user_error.h"

namespace roipool::cli {
namespace fs = std::filesystem;
namespace {

// Makes a new hidden file in the same folder. Returns its descriptor, or -1 and errno.
int CreateBeside(const fs::path& path, fs::path* created) {
  constexpr int kAttempts = 100;
  std::random_device random;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    *created = path.parent_path() / fmt::format(".{}.{:08x}.partial", path.filename().string(), random());
    const int file = open(created->c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : shown_path_(path) {
  if (path.empty()) throw UserError("cannot write a file with an empty name");
  std::error_code error;
  final_path_ = path;
  // A link stays: what it points to is replaced.
  if (fs::is_symlink(path, error)) final_path_ = fs::weakly_canonical(path, error);
  if (fs::exists(final_path_, error) && !fs::is_regular_file(final_path_, error)) {
    throw UserError(fmt::format("cannot write '{}': it exists and is not a regular file", path));
  }
  if (!final_path_.has_filename()) throw UserError(fmt::format("cannot write '{}': it names a folder", path));
  const int file = CreateBeside(final_path_, &temporary_path_);
  if (file < 0) throw UserError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  close(file);
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(temporary_path_, ignored);
}

void OutputFile::Commit() {
  std::error_code error;
  fs::rename(temporary_path_, final_path_, error);
  if (error) throw UserError(fmt::format("cannot write '{}': {}", shown_path_, error.message()));
  committed_ = true;
}

}  // namespace roipool::cli
