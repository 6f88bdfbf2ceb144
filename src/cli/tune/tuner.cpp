#include "tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "interrupt.h"
#include "journal.h"
#include "knob_picture.h"
#include "problems.h"
#include "search.h"
#include "times.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

using Clock = ChildProcess::Clock;

constexpr size_t kBatch = 12;
constexpr int kFirstRounds = 3, kDuelRounds = 24;
// So many batches without anything better end the search before its time.
constexpr int kFruitlessBatches = 8;
// So many findings of an earlier run are tried again, best first, until one wins.
constexpr size_t kMostResumed = 5;
constexpr uint32_t kSearchSeed = 1;

std::string Bar(double share) {
  constexpr size_t kWidth = 20;
  const auto full = static_cast<size_t>(std::clamp(share, 0.0, 1.0) * kWidth);
  return fmt::format("[{:#<{}}{:-<{}}]", "", full, "", kWidth - full);
}

class Tuner {
 public:
  Tuner(const TuneRequest& request, const Problem& problem, double seconds, Progress* progress)
      : request_(request),
        problem_(problem),
        begin_(Clock::now()),
        seconds_(seconds),
        progress_(*progress),
        space_(SpaceOf(problem)),
        search_(space_, kSearchSeed),
        compiler_({request.generators, request.folder / "kernels", problem.op, problem.type, problem.isa, 60}),
        worker_(request.worker, request.folder / "worker.log", problem, request.seconds_for_each, [this] { return IsOver(); }) {
  }

  TuneResult Run(const Origin& origin, const std::optional<Candidate>& row) {
    Show("making inputs");
    SetStart(origin);
    is_searching_ = true;
    try {
      if (journal_->resumed() > 0) Resume();
      if (row) Challenge(*row);
      row_had_its_turn_ = true;
      TryBatches();
    } catch (const Interrupted&) {
      Show("ending");  // What was found is in the journal.
    }
    is_searching_ = false;
    return Finish();
  }

 private:
  struct Ready {
    Candidate candidate;
    int id;
  };

  double SecondsLeft() const { return seconds_ - std::chrono::duration<double>(Clock::now() - begin_).count(); }
  // The start, the last comparison with it and the autoschedulers get their time even if the search has none left.
  bool IsOver() const { return IsInterrupted() || (is_searching_ && SecondsLeft() <= 0); }

  void Show(const std::string& what) {
    const std::string best = best_nanoseconds_ > 0 ? fmt::format("best {:.3f} ns/bin, {:.2f}x as long as the start; {} tried; ",
                                                                 best_nanoseconds_, best_relative_, findings().size())
                                                   : "";
    progress_.SetStep(fmt::format("{} {:.0f} s left; {} {}: {}{}", Bar(1 - SecondsLeft() / seconds_),
                                  std::max(0.0, SecondsLeft()), DataTypeName(problem_.type), problem_.shape_class, best, what));
  }

  const std::vector<Finding>& findings() const {
    static const std::vector<Finding> none;
    return journal_ == nullptr ? none : journal_->findings();
  }

  void Record(const Candidate& candidate, const std::string& problem, double relative) {
    journal_->Add({candidate, problem, relative, relative * start_nanoseconds_});
  }

  // Compiles, loads and checks one candidate. Returns what is wrong with it, or nothing and its id.
  std::string LoadOne(const Candidate& candidate, int* id) {
    compiler_.Compile(space_, {candidate}, [this] { return IsOver(); });
    const CompiledKernel* kernel = compiler_.Find(space_, candidate);
    if (kernel == nullptr) throw Interrupted();
    return kernel->library.empty() ? kernel->problem : worker_.Load(candidate, *kernel, id);
  }

  void SetStart(const Origin& origin) {
    const Start start = worker_.FindStart(request_.from);
    start_ = space_.FromKernel(start.schedule);
    for (const auto& [name, value] : start.knobs) start_.knobs[name] = value;
    best_ = start_;
    const std::filesystem::path journal = request_.folder / (FileName() + ".jsonl");
    if (request_.begins_anew) std::filesystem::remove(journal);
    journal_ = std::make_unique<Journal>(journal, problem_, start_, origin);
    const std::string bad_start = LoadOne(start_, &start_id_);
    if (!bad_start.empty()) throw UserError(fmt::format("{}: {}", Describe(start_), bad_start));
    best_id_ = start_id_;
    const auto [seconds, problem] = worker_.Time({start_id_}, kDuelRounds);
    if (!seconds) throw UserError(fmt::format("{}: {}", Describe(start_), problem));
    best_nanoseconds_ = start_nanoseconds_ = NanosecondsPerBin(*seconds, 0, problem_.shapes);
    double call_seconds = 0;
    for (const auto& shape : *seconds) call_seconds += Median(shape.front());
    worker_.SetCallSeconds(call_seconds);
    search_.MarkTried(start_);
    if (findings().empty()) Record(start_, "", 1);
  }

  // The best of an earlier run must win again; if it does not, the next best may.
  void Resume() {
    std::vector<Finding> earlier = findings();
    for (const Finding& finding : earlier) search_.MarkTried(finding.candidate);
    std::erase_if(earlier, [](const Finding& finding) { return !finding.problem.empty() || finding.relative >= 1; });
    std::sort(earlier.begin(), earlier.end(), [](const Finding& a, const Finding& b) { return a.relative < b.relative; });
    for (size_t i = 0; i < std::min(earlier.size(), kMostResumed) && !IsOver(); ++i) {
      int id = 0;
      const std::string problem = LoadOne(earlier[i].candidate, &id);
      if (!problem.empty()) {
        Record(earlier[i].candidate, problem, 0);
      } else if (Duel({earlier[i].candidate, id})) {
        return;
      }
    }
  }

  // What the file of rows says so far is a candidate like others; else a run that finds nothing would not know its worth.
  void Challenge(const Candidate& row) {
    if (!space_.schedules().contains(row.schedule)) return;
    Candidate candidate = space_.Initial(row.schedule);
    for (auto& [name, value] : candidate.knobs) {
      if (const auto given = row.knobs.find(name); given != row.knobs.end()) value = given->second;
    }
    const auto is_known = [&](const Finding& finding) { return finding.candidate == candidate; };
    if (std::any_of(findings().begin(), findings().end(), is_known)) return;
    search_.MarkTried(candidate);
    TryBatch({candidate});
    if (std::none_of(findings().begin(), findings().end(), is_known)) throw Interrupted();
  }

  void TryBatches() {
    const size_t most = request_.most_candidates == 0 ? SIZE_MAX : request_.most_candidates;
    for (int fruitless = 0; fruitless < kFruitlessBatches && !IsOver() && findings().size() < most;) {
      const std::vector<Candidate> batch = search_.Propose(best_, std::min(kBatch, most - findings().size()));
      if (batch.empty()) break;
      fruitless = TryBatch(batch) ? 0 : fruitless + 1;
    }
  }

  // Whether something better was found.
  bool TryBatch(const std::vector<Candidate>& batch) {
    Show("compiling");
    compiler_.Compile(space_, batch, [this] {
      Show("compiling");
      return IsOver();
    });
    const std::vector<Ready> ready = CheckAll(batch);
    if (ready.empty() || IsOver()) return false;
    Show("measuring");
    std::vector<double> relative(ready.size());
    const auto measure = [&](const std::vector<size_t>& which, int rounds) {
      Show("measuring");
      return Measure(ready, which, rounds, &relative);
    };
    const std::vector<size_t> order = HalveSuccessively(ready.size(), kFirstRounds, measure);
    return relative[order.front()] > 0 && relative[order.front()] < best_relative_ && Duel(ready[order.front()]);
  }

  std::vector<Ready> CheckAll(const std::vector<Candidate>& batch) {
    std::vector<Ready> ready;
    for (const Candidate& candidate : batch) {
      if (IsOver()) break;
      const CompiledKernel* kernel = compiler_.Find(space_, candidate);
      if (kernel == nullptr) continue;
      Show("comparing results with the reference");
      int id = 0;
      const std::string problem = kernel->library.empty() ? kernel->problem : worker_.Load(candidate, *kernel, &id);
      if (problem.empty()) {
        ready.push_back({candidate, id});
      } else {
        Record(candidate, problem, 0);
      }
    }
    return ready;
  }

  // The times of some of `ready`, the best one's being 1; also kept in *relative, by the start's. Those that fail take for
  // ever. Empty if the search must end.
  std::vector<double> Measure(const std::vector<Ready>& ready, const std::vector<size_t>& which, int rounds,
                              std::vector<double>* relative) {
    std::vector<size_t> sound;
    std::copy_if(which.begin(), which.end(), std::back_inserter(sound),
                 [&](size_t index) { return !std::isinf((*relative)[index]); });
    if (IsOver()) return {};
    if (!sound.empty() && !TimeTogether(ready, sound, rounds, relative).empty()) {
      // One of them fails; only alone can it be told from the others.
      for (const size_t index : sound) {
        const std::string problem = TimeTogether(ready, {index}, rounds, relative);
        if (problem.empty()) continue;
        Record(ready[index].candidate, problem, 0);
        (*relative)[index] = std::numeric_limits<double>::infinity();
      }
    }
    std::vector<double> ratios;
    ratios.reserve(which.size());
    for (const size_t index : which) ratios.push_back((*relative)[index] / best_relative_);
    return ratios;
  }

  // In turns with the best. Returns what went wrong, or nothing and, in *relative, the times.
  std::string TimeTogether(const std::vector<Ready>& ready, const std::vector<size_t>& which, int rounds,
                           std::vector<double>* relative) {
    std::vector<int> ids = {best_id_};
    for (const size_t index : which) ids.push_back(ready[index].id);
    const auto [seconds, problem] = worker_.Time(ids, rounds);
    if (!seconds) return problem;
    for (size_t i = 0; i < which.size(); ++i) {
      (*relative)[which[i]] = RatioToFirst(*seconds, i + 1) * best_relative_;
      Record(ready[which[i]].candidate, "", (*relative)[which[i]]);
    }
    return {};
  }

  // The challenger and the best in turns; the winner is the best from now on.
  bool Duel(const Ready& challenger) {
    const auto [seconds, problem] = worker_.Time({best_id_, challenger.id}, kDuelRounds);
    if (!seconds) {
      Record(challenger.candidate, problem, 0);
      return false;
    }
    if (!IsFaster(*seconds, 1)) return false;
    const double ratio = RatioToFirst(*seconds, 1);
    best_ = challenger.candidate;
    best_id_ = challenger.id;
    best_relative_ *= ratio;
    best_nanoseconds_ = NanosecondsPerBin(*seconds, 1, problem_.shapes);
    return true;
  }

  std::string FileName() const {
    return fmt::format("{}_{}_{}_{}", OperatorName(problem_.op), DataTypeName(problem_.type), problem_.shape_class,
                       IsaName(problem_.isa));
  }

  // Right bits on these shapes are enough to be timed; not to be used.
  Autoscheduled TryAutoscheduler(const std::string& name) {
    Show("trying " + name);
    const CompiledKernel kernel = compiler_.CompileAutoscheduled(name, [this] { return IsOver(); });
    if (kernel.library.empty()) return {name, 0, kernel.problem};
    const Candidate candidate = {"reference", {}};
    int id = 0;
    const std::string problem = worker_.Load(candidate, kernel, &id);
    if (!problem.empty()) {
      const std::string on_these = worker_.Load(candidate, kernel, &id, /*checks_edges=*/false);
      if (!on_these.empty()) return {name, 0, on_these};
    }
    const auto [seconds, problem_of_timing] = worker_.Time({best_id_, id}, kFirstRounds);
    if (!seconds) return {name, 0, problem_of_timing};
    return {name, NanosecondsPerBin(*seconds, 1, problem_.shapes), problem};
  }

  // The best once more in turns with the start, over which it must be an improvement: many small ones may be none. After an
  // interrupt its duels must do.
  void Confirm(TuneResult* result) {
    if (best_ == start_) return;
    result->ratio = best_relative_;
    result->best_nanoseconds = best_nanoseconds_;
    const auto seconds = worker_.Time({start_id_, best_id_}, kDuelRounds).seconds;
    if (!seconds || !IsFaster(*seconds, 1)) {
      result->best = start_;
      result->ratio = 1;
      result->best_nanoseconds = start_nanoseconds_;
      return;
    }
    result->ratio = RatioToFirst(*seconds, 1);
    result->start_nanoseconds = NanosecondsPerBin(*seconds, 0, problem_.shapes);
    result->best_nanoseconds = NanosecondsPerBin(*seconds, 1, problem_.shapes);
  }

  TuneResult Finish() {
    TuneResult result = {problem_, start_, best_, findings(), journal_->resumed(), start_nanoseconds_, start_nanoseconds_,
                         1,        {},     {},    {}};
    try {
      Confirm(&result);
      if (request_.tries_autoschedulers) {
        for (const char* name : {"Mullapudi2016", "Adams2019", "Li2018"}) {
          result.autoscheduled.push_back(TryAutoscheduler(name));
        }
      }
    } catch (const Interrupted&) {
      Show("ending");  // The result is what it was until then.
    }
    if (!row_had_its_turn_) result.row_kept = "the search ended before its turn came; the same command goes on from here";
    result.picture = request_.folder / (FileName() + ".png");
    OutputFile picture(result.picture);
    DrawKnobs(result, space_).Save(picture);
    picture.Commit();
    return result;
  }

  const TuneRequest& request_;
  Problem problem_;
  Clock::time_point begin_;
  double seconds_;
  bool is_searching_ = false;
  Progress& progress_;
  CandidateSpace space_;
  Search search_;
  Compiler compiler_;
  WorkerClient worker_;
  std::unique_ptr<Journal> journal_;
  Candidate start_, best_;
  bool row_had_its_turn_ = false;
  int start_id_ = 0, best_id_ = 0;
  double start_nanoseconds_ = 0, best_nanoseconds_ = 0, best_relative_ = 1;
};

}  // namespace

TuneResult TuneProblem(const TuneRequest& request, const Problem& problem, double seconds, const Origin& origin,
                       const std::optional<Candidate>& row, Progress* progress) {
  return Tuner(request, problem, seconds, progress).Run(origin, row);
}

}  // namespace roipool::cli
