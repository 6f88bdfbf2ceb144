// `roipool tune` as its users meet it, on shapes that take no time.
#include "tune.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

#include "kernel_rows.h"
#include "run_program.h"
#include "temporary_folder.h"

namespace roipool::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TuneCommand : public testing::Test {
 protected:
  TuneCommand() { std::ofstream(folder_.File("shapes.txt")) << "small 1 8 12 14 20 7 7\n"; }

  std::vector<std::string> Arguments(const std::string& budget, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"tune",
                                          "--shapes",
                                          folder_.File("shapes.txt"),
                                          "--threads",
                                          "1",
                                          "--budget",
                                          budget,
                                          "--output",
                                          folder_.File("my.rows"),
                                          "--work-dir",
                                          folder_.File("work")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.File(name)).rdbuf();
    return text.str();
  }

  TemporaryFolder folder_;
};

TEST_F(TuneCommand, WritesARowAPictureAndAJournalAndGoesOn) {
  const ProgramRun run = RunProgram(Arguments("6", {"--max-isa", "baseline"}));
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("x86-64-baseline roi_pool_grad f32 tiny: "));
  EXPECT_THAT(run.output, HasSubstr("  changed: "));
  EXPECT_THAT(run.output, Not(HasSubstr("earlier runs")));
  EXPECT_THAT(Read("my.rows"), testing::StartsWith("x86-64-baseline roi_pool_grad f32 tiny "));
  EXPECT_THAT(Read("my.rows"), HasSubstr(" threads=1 shapes=small ns_per_bin="));
  const std::string stem = "work/roi_pool_grad_f32_tiny_baseline";
  EXPECT_THAT(Read(stem + ".png"), testing::StartsWith("\x89PNG"));
  EXPECT_THAT(Read(stem + ".jsonl"), HasSubstr("\"relative\":1.0"));

  const ProgramRun again = RunProgram(Arguments("1", {"--max-isa", "baseline"}));
  ASSERT_TRUE(IsDone(again));
  EXPECT_THAT(again.output, HasSubstr(" of them in earlier runs"));
  const ProgramRun fresh = RunProgram(Arguments("1", {"--max-isa", "baseline", "--fresh"}));
  ASSERT_TRUE(IsDone(fresh));
  EXPECT_THAT(fresh.output, Not(HasSubstr("earlier runs")));
}

// A row that is there has a say of its own, even if no candidate is tried.
TEST_F(TuneCommand, LeavesARowAloneThatNothingBeats) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "about knobs of cpu_channel_blocks";
  const std::string row = "x86-64-baseline roi_pool_grad f32 tiny cpu_channel_blocks prefetch_distance=5  # mine\n";
  std::ofstream(folder_.File("my.rows")) << row;
  const ProgramRun run = RunProgram(Arguments("60", {"--max-isa", "baseline", "--candidates", "1"}));
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(Read("my.rows"), HasSubstr("prefetch_distance=5"));
  EXPECT_THAT(run.output, HasSubstr("  2 candidates: 2 measured"));
}

TEST_F(TuneCommand, GoesOnThoughFindingsOfEarlierRunsFail) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "the faulty generators are about knobs of cpu_channel_blocks";
  const std::vector<std::string> more = {"--max-isa", "baseline",     "--candidates",
                                         "1",         "--generators", ROIPOOL_FAULTY_GENERATORS};
  const std::vector<std::string> environment = {std::string("ROIPOOL_REAL_GENERATORS=") + ROIPOOL_GENERATORS};
  ASSERT_TRUE(IsDone(RunProgram(Arguments("60", more), environment)));
  const std::string journal = "work/roi_pool_grad_f32_tiny_baseline.jsonl";
  const std::string text = Read(journal);
  std::string start = text.substr(text.find('\n') + 1);
  const auto with = [&](const std::string& knob, int value, const std::string& relative) {
    std::string line = std::regex_replace(start, std::regex("\"" + knob + "\":[0-9]+"), fmt::format("\"{}\":{}", knob, value));
    return std::regex_replace(line, std::regex("\"relative\":1.0"), "\"relative\":" + relative);
  };
  std::ofstream(folder_.File(journal), std::ios::app) << with("bins_per_step", 7, "0.1") << with("stages_gradients", 1, "0.2");
  const ProgramRun run = RunProgram(Arguments("60", more), environment);
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("does not compile: a deliberate error"));
  EXPECT_THAT(run.output, HasSubstr("other bits: element 0 of grad_input")) << "the next best has its turn";
}

TEST_F(TuneCommand, TunesTheForward) {
  const ProgramRun run = RunProgram(Arguments("5", {"--op", "roi_pool", "--types", "f16"}));
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr(" roi_pool f16 tiny: "));
}

// Kernels that do not compile, give other bits, crash, or never end cost a candidate each, and nothing else.
TEST_F(TuneCommand, SurvivesCandidatesThatAreNone) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "the faulty generators are about knobs of cpu_channel_blocks";
  const ProgramRun run =
      RunProgram(Arguments("600", {"--candidates", "37", "--generators", ROIPOOL_FAULTY_GENERATORS, "--timeout", "1.5"}),
                 {std::string("ROIPOOL_REAL_GENERATORS=") + ROIPOOL_GENERATORS});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("does not compile: a deliberate error"));
  EXPECT_THAT(run.output, HasSubstr("other bits: element 0 of grad_input"));
  EXPECT_THAT(run.output, HasSubstr("crashes with signal 6"));
  EXPECT_THAT(run.output, HasSubstr("does not end within 1.5 s"));
  const std::string row = Read("my.rows");
  EXPECT_THAT(run.output, HasSubstr("  37 candidates: "));
  for (const char* bad : {"bins_per_step=1 ", "bins_per_step=3 ", "stages_gradients=1", "long_row_vectors=1 "}) {
    EXPECT_THAT(row, Not(HasSubstr(bad)));
  }
}

// A worker of the shell's: it ends whenever it times a candidate with a prefetch distance below 3, and finds all of them equal.
TEST_F(TuneCommand, ACrashWhileAGroupIsTimedCostsTheCulpritAlone) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "about knobs of cpu_channel_blocks";
  const auto write_program = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder_.File(name)) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(folder_.File(name), std::filesystem::perms::owner_all);
    return folder_.File(name);
  };
  cli::TuneRequest request;
  request.types = {DataType::kFloat32};
  request.shapes = {{"small", 1, 8, 12, 14, 20, 7, 7}};
  request.budget_seconds = 600;
  request.most_candidates = 13;
  request.output = folder_.File("my.rows");
  request.folder = folder_.File("work");
  request.generators = write_program("generators", "cc -c -x c /dev/null -o $6/$2.o\n");
  request.worker = write_program("worker", R"sh(culprits=
while read -r line; do
  ids=$(expr "$line" : '.*"ids":\[\([^]]*\)\]' | tr ',' ' ')
  rounds=$(expr "$line" : '.*"rounds":\([0-9]*\)')
  case $line in
    *'"do":"start"'*) echo '{"ok":true,"schedule":"cpu_channel_blocks","knobs":{},"source":""}' ;;
    *'"do":"load"'*'"prefetch_distance":'[012][,}]*)
      culprits="$culprits $(expr "$line" : '.*"id":\([0-9]*\)') "
      echo '{"ok":true}' ;;
    *'"do":"time"'*)
      times=
      for id in $ids; do
        case $culprits in *" $id "*) exit 3 ;; esac
        times="$times,[$(yes 1 | head -n "$rounds" | paste -sd,)]"
      done
      echo "{\"ok\":true,\"seconds\":[[${times#,}]]}" ;;
    *) echo '{"ok":true}' ;;
  esac
done
)sh");
  const std::vector<cli::TuneResult> results = cli::Tune(request);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].findings.size(), 13u);
  int culprits = 0;
  for (const cli::Finding& finding : results[0].findings) {
    const bool is_culprit = finding.candidate.knobs.at("prefetch_distance") < 3;
    culprits += is_culprit ? 1 : 0;
    EXPECT_EQ(finding.problem, is_culprit ? "ends with status 3" : "") << Describe(finding.candidate);
    EXPECT_EQ(finding.relative, is_culprit ? 0 : 1) << Describe(finding.candidate);
  }
  EXPECT_GT(culprits, 0);
  EXPECT_LT(culprits, 10);
}

// Long rows belong to the reference, which is not tuned.
TEST_F(TuneCommand, RefusesShapesThatOnlyTheReferenceTakes) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "about the limit of cpu_channel_blocks";
  std::ofstream(folder_.File("shapes.txt")) << "small 1 8 12 14 20 7 7\nlong 1 4 50 50 2 40 40\n";
  const std::string expected = "long has 40 x 40 bins";
  EXPECT_TRUE(IsRefused(RunProgram(Arguments("5")), "roipool tune: ", expected));
  EXPECT_TRUE(IsRefused(RunProgram(Arguments("5", {"--dry-run"})), "roipool tune: ", expected));
  EXPECT_FALSE(std::filesystem::exists(folder_.File("my.rows")));
}

TEST_F(TuneCommand, KeepsWhatItFoundWhenItIsInterrupted) {
  // Not before the start's time is known, or there would be nothing to keep.
  std::ofstream(folder_.File("run.sh")) << "\"$@\" & program=$!\nuntil grep -qs relative " << folder_.File("work")
                                        << "/*.jsonl || ! kill -0 $program; do sleep 0.1; done\n"
                                        << "kill -INT $program; wait $program\n";
  std::string command = "sh " + folder_.File("run.sh") + " " + ROIPOOL_PROGRAM;
  for (const std::string& argument : Arguments("300")) command += " " + argument;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(std::system((command + " > " + folder_.File("out.txt")).c_str()), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_THAT(Read("out.txt"), HasSubstr("interrupted; the same command goes on from here"));
  EXPECT_THAT(Read("my.rows"), HasSubstr("roi_pool_grad f32 tiny"));
}

// Every kernel but the first, the start's, says that it was called and never ends.
TEST_F(TuneCommand, AnInterruptEndsAWaitForACandidate) {
  if (!HasDefaultSchedules()) GTEST_SKIP() << "about knobs of cpu_channel_blocks";
  const std::string row = "x86-64-baseline roi_pool_grad f32 tiny cpu_channel_blocks bins_per_step=7  # mine\n";
  std::ofstream(folder_.File("my.rows")) << row;
  std::ofstream(folder_.File("generators")) << R"(#!/usr/bin/env bash
set -euo pipefail
here=$(dirname "$0")
if [ ! -e "$here/started" ]; then touch "$here/started"; exec "$ROIPOOL_REAL_GENERATORS" "$@"; fi
all=" $* "; symbol=${all#* -f }; symbol=${symbol%% *}; folder=${all#* -o }; folder=${folder%% *}
printf '#include <stdio.h>\nint %s() { fclose(fopen("%s/hangs", "w")); for (volatile int i = 0;; ++i) ; }\n' "$symbol" "$here" |
  cc -shared -fPIC -x c -c - -o "$folder/$symbol.o"
)";
  std::filesystem::permissions(folder_.File("generators"), std::filesystem::perms::owner_all);
  std::ofstream(folder_.File("run.sh")) << "\"$@\" & program=$!\nwhile [ ! -e " << folder_.File("hangs")
                                        << " ] && kill -0 $program; do sleep 0.1; done\n"
                                        << "touch " << folder_.File("interrupted") << "; kill -INT $program; wait $program\n";
  std::string command =
      std::string("ROIPOOL_REAL_GENERATORS=") + ROIPOOL_GENERATORS + " sh " + folder_.File("run.sh") + " " + ROIPOOL_PROGRAM;
  for (const std::string& argument :
       Arguments("300", {"--max-isa", "baseline", "--generators", folder_.File("generators"), "--timeout", "60"})) {
    command += " " + argument;
  }
  ASSERT_EQ(std::system((command + " > " + folder_.File("out.txt")).c_str()), 0);
  ASSERT_TRUE(std::filesystem::exists(folder_.File("hangs")));
  const auto since =
      std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(folder_.File("interrupted"));
  EXPECT_LT(since, std::chrono::seconds(20));
  EXPECT_THAT(Read("out.txt"), HasSubstr("1 candidates: 1 measured, 0 rejected"));
  EXPECT_THAT(Read("out.txt"), HasSubstr("its row stays as it was: the search ended before its turn came"));
  EXPECT_THAT(Read("out.txt"), HasSubstr("interrupted; the same command goes on from here"));
  EXPECT_EQ(Read("my.rows"), row);
}

TEST_F(TuneCommand, DryRunsSayWhatTheyWouldDo) {
  const ProgramRun run = RunProgram({"tune", "--dry-run", "--shapes", "A,C,E", "--types", "f32,f16"});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad f16 many_rois"));
  EXPECT_THAT(run.output, HasSubstr("shape C: x (2, 1024, 38, 63), 256 rois, 14 x 14 bins"));
  EXPECT_THAT(run.output, HasSubstr("prefetch_distance of 0 1 2 3"));
}

TEST_F(TuneCommand, RefusesBadOptions) {
  EXPECT_TRUE(IsRefused(RunProgram({"tune", "--shapes", "Z"}), "roipool tune: ", "--shapes is 'Z'"));
  EXPECT_TRUE(IsRefused(RunProgram({"tune", "--budget", "0"}), "roipool tune: ", "--budget"));
  EXPECT_TRUE(IsRefused(RunProgram({"tune", "--types", "f8"}), "roipool tune: ", "f8"));
  EXPECT_TRUE(IsRefused(RunProgram(Arguments("5", {"--generators", "nowhere"})), "roipool tune: ", "there is no 'nowhere'"));
  std::ofstream(folder_.File("bad.rows")) << "x86-64-avx2 roi_pool_grad f32 any reference knob=1\n";
  EXPECT_TRUE(IsRefused(RunProgram(Arguments("5", {"--from", folder_.File("bad.rows")})),
                        "roipool tune: ", "bad.rows:1: a knob is 'knob'"));
}

}  // namespace
}  // namespace roipool::test
