// Files that appear whole or not at all.
#ifndef ROIPOOL_CLI_OUTPUT_FILE_H_
#define ROIPOOL_CLI_OUTPUT_FILE_H_

#include <filesystem>
#include <string>

namespace roipool::cli {

/// Reserves a temporary file beside `path`; Commit() renames it to `path`, and without a Commit() it is removed. Creating it
/// early tells before a long computation that the result could not be written.
class OutputFile {
 public:
  /// Throws UserError if `path` is something other than a file, or its folder cannot be written.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Where to write the contents.
  const std::filesystem::path& temporary_path() const { return temporary_path_; }
  /// The path as the user gave it, for messages.
  const std::string& shown_path() const { return shown_path_; }
  /// Throws UserError if the rename fails.
  void Commit();

 private:
  std::string shown_path_;
  std::filesystem::path final_path_;
  std::filesystem::path temporary_path_;
  bool committed_ = false;
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_OUTPUT_FILE_H_
