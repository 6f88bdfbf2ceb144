#include "tuning.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <optional>

#include "generated_words.h"
#include "make_status.h"

namespace roipool {
namespace internal {
namespace {

// NOLINTBEGIN(readability-identifier-naming): pasted from a word, as those of generated_words.h.
constexpr std::optional<DataType> kType_any;
constexpr std::optional<ShapeClass> kClass_any;
#define ROIPOOL_CLASS(value, name, description) constexpr ShapeClass kClass_##name = ShapeClass::value;
ROIPOOL_SHAPE_CLASSES(ROIPOOL_CLASS)
#undef ROIPOOL_CLASS
// NOLINTEND(readability-identifier-naming)

// A knob that a row does not give keeps its default.
constexpr CallKnobs MakeKnobs(int32_t channel_block, int32_t group_channels, int32_t prefetch_distance) {
  CallKnobs knobs;
  if (channel_block >= 0) knobs.channel_block = channel_block;
  if (group_channels >= 0) knobs.group_channels = group_channels;
  if (prefetch_distance >= 0) knobs.prefetch_distance = prefetch_distance;
  return knobs;
}

// The last one is no row: there may be none.
#define ROIPOOL_TUNED_ROW(isa, op, type, shape_class, schedule, channel_block, group_channels, prefetch_distance, source) \
  {kIsa_##isa,                                                                                                            \
   kOperator_##op,                                                                                                        \
   kType_##type,                                                                                                          \
   kClass_##shape_class,                                                                                                  \
   {#schedule, MakeKnobs(channel_block, group_channels, prefetch_distance), source}},
constexpr detail::CompiledRow kRows[] = {
#include "tuned_rows.inc"
    {Isa::kBaseline, Operator::kRoiPoolGrad, kType_any, kClass_any, {"", {}, ""}}};
#undef ROIPOOL_TUNED_ROW

Status ReadRows(const char* function, const char* path, std::istream& file, Tuning* tuning) {
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    TunedRow row;
    std::string error;
    ROIPOOL_CHECK(ParseTunedRow(line, &row, &error), StatusCode::kInvalidArgument, "%s: %.160s:%lld: %s", function, path,
                  static_cast<long long>(number), error.c_str());
    if (row.schedule.empty()) continue;
    row.source = std::string(path) + ":" + std::to_string(number);
    tuning->rows.push_back(std::move(row));
  }
  ROIPOOL_CHECK(!file.bad(), StatusCode::kInvalidArgument, "%s: reading %.200s failed after %lld rows (%s)", function, path,
                static_cast<long long>(tuning->rows.size()), std::strerror(errno));
  return {};
}

// Tells whether a file has changed, as far as its metadata do.
struct FileState {
  std::string path;
  struct stat status = {};

  bool operator==(const FileState& other) const noexcept {
    const auto same_time = [](const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; };
    return path == other.path && status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev &&
           status.st_size == other.status.st_size && same_time(status.st_mtim, other.status.st_mtim);
  }
};

}  // namespace

std::span<const detail::CompiledRow> detail::CompiledRows() noexcept { return std::span(kRows).first(std::size(kRows) - 1); }

Status ReadTuning(const char* function, const char* argument, const char* path, std::shared_ptr<const Tuning>* tuning) noexcept
    try {
  struct stat status = {};
  const bool exists = stat(path, &status) == 0;
  // Known before it is opened: opening a pipe waits for its other end.
  const char* kind = S_ISDIR(status.st_mode) ? "it is a folder" : "it is a pipe or a device";
  const bool has_rows = exists && S_ISREG(status.st_mode);
  std::ifstream file;
  if (has_rows) file.open(path);
  ROIPOOL_CHECK(has_rows && file, StatusCode::kInvalidArgument,
                "%s: %s is \"%.200s\", must be a readable file of tuned rows (%s)", function, argument, path,
                !exists || has_rows ? std::strerror(errno) : kind);
  auto read = std::make_shared<Tuning>();
  ROIPOOL_RETURN_IF_ERROR(ReadRows(function, path, file, read.get()));
  *tuning = std::move(read);
  return {};
} catch (const std::exception&) {
  return MakeStatus(StatusCode::kOutOfMemory, "%s: no memory for the tuned rows of \"%.200s\"", function, path);
}

Status TuningOfEnvironment(const char* function, std::shared_ptr<const Tuning>* tuning) noexcept try {
  tuning->reset();
  const char* path = std::getenv("ROIPOOL_TUNING");
  if (path == nullptr || *path == '\0') return {};
  FileState state = {path, {}};
  const bool exists = stat(path, &state.status) == 0;
  static std::mutex mutex;
  static FileState cached_state;
  static std::shared_ptr<const Tuning> cached;
  const std::lock_guard lock(mutex);
  if (!exists || cached == nullptr || !(cached_state == state)) {
    cached.reset();
    ROIPOOL_RETURN_IF_ERROR(ReadTuning(function, "the environment variable ROIPOOL_TUNING", path, &cached));
    cached_state = state;
  }
  *tuning = cached;
  return {};
} catch (const std::exception&) {
  return MakeStatus(StatusCode::kOutOfMemory, "%s: no memory for the tuned rows of ROIPOOL_TUNING", function);
}

}  // namespace internal

void TuningDeleter::operator()(Tuning* tuning) const noexcept { delete tuning; }

Status LoadTuning(const char* path, TuningPtr* tuning) noexcept try {
  ROIPOOL_CHECK(tuning != nullptr, StatusCode::kNullArgument, "LoadTuning: tuning is null, must be set");
  tuning->reset();
  ROIPOOL_CHECK(path != nullptr, StatusCode::kNullArgument, "LoadTuning: path is null, must be set");
  std::shared_ptr<const Tuning> read;
  ROIPOOL_RETURN_IF_ERROR(internal::ReadTuning("LoadTuning", "path", path, &read));
  tuning->reset(new Tuning(*read));
  return {};
} catch (const std::exception&) {
  return internal::MakeStatus(StatusCode::kOutOfMemory, "LoadTuning: no memory for the tuned rows");
}

}  // namespace roipool
