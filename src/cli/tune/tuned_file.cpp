#include "tuned_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "output_file.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

std::vector<std::string> WordsOf(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

constexpr size_t kKeyWords = 4;

bool SameKey(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return a.size() > kKeyWords && b.size() > kKeyWords && std::equal(a.begin(), a.begin() + kKeyWords, b.begin());
}

// While one lives, no other one does for the same file.
class Lock {
 public:
  explicit Lock(const std::string& path) {
    std::error_code error;
    // A link and what it points to are the same file.
    const std::string name =
        (std::filesystem::is_symlink(path, error) ? std::filesystem::weakly_canonical(path, error).string() : path) + ".lock";
    file_ = open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file_ < 0) throw UserError(fmt::format("cannot write '{}': its lock '{}': {}", path, name, std::strerror(errno)));
    while (flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const std::string reason = std::strerror(errno);
      close(file_);
      throw UserError(fmt::format("cannot write '{}': its lock '{}': {}", path, name, reason));
    }
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace

std::string FormatRow(const Problem& problem, const Candidate& candidate) {
  return RowKey(problem) + " " + Describe(candidate);
}

TunedFile::TunedFile(const std::string& path) : path_(path) {
  if (!std::filesystem::exists(path)) return;
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("cannot read '{}'", path));
  for (std::string line; std::getline(file, line);) lines_.push_back(line);
}

bool TunedFile::Put(const Problem& problem, const Candidate& candidate, const Provenance& provenance) {
  const std::string row = FormatRow(problem, candidate);
  const std::string line =
      fmt::format("{}  # cpu=\"{}\" date={} commit={} threads={} shapes={} ns_per_bin={:.3f}", row, provenance.cpu,
                  provenance.date, provenance.commit, provenance.threads, provenance.shapes, provenance.nanoseconds_per_bin);
  const std::vector<std::string> words = WordsOf(row);
  for (std::string& old : lines_) {
    const std::vector<std::string> old_words = WordsOf(old);
    if (!SameKey(old_words, words)) continue;
    if (old_words == words) return false;
    old = line;
    return true;
  }
  lines_.push_back(line);
  return true;
}

std::optional<Candidate> TunedFile::Find(const Problem& problem) const {
  const std::vector<std::string> key = WordsOf(RowKey(problem) + " schedule");
  for (const std::string& line : lines_) {
    const std::vector<std::string> words = WordsOf(line);
    if (!SameKey(words, key)) continue;
    Candidate candidate{words[kKeyWords], {}};
    for (size_t i = kKeyWords + 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      if (equals == std::string::npos) continue;
      const char* end = words[i].data() + words[i].size();
      int value = 0;
      if (std::from_chars(words[i].data() + equals + 1, end, value).ptr == end) {
        candidate.knobs[words[i].substr(0, equals)] = value;
      }
    }
    return candidate;
  }
  return {};
}

PutResult PutRow(const std::string& path, const Problem& problem, const Candidate& candidate, const Provenance& provenance,
                 const std::optional<Candidate>& before) {
  const Lock lock(path);
  TunedFile file(path);
  const std::optional<Candidate> now = file.Find(problem);
  if (now && now != before && now != candidate) return PutResult::kOtherCameMeanwhile;
  if (!file.Put(problem, candidate, provenance)) return PutResult::kSame;
  file.Save();
  return PutResult::kPut;
}

void TunedFile::Save() const {
  OutputFile output(path_);
  std::ofstream file(output.temporary_path());
  for (const std::string& line : lines_) file << line << "\n";
  file.close();
  if (!file) throw UserError(fmt::format("cannot write '{}'", path_));
  output.Commit();
}

}  // namespace roipool::cli
