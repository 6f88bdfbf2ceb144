// The tuner's file of rows: idempotent, and careful with what is not its own.
#include "tuned_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "journal.h"
#include "kernel_rows.h"
#include "roipool/tuning.h"
#include "status_matchers.h"
#include "temporary_folder.h"

namespace roipool::cli {
namespace {

const Provenance kToday = {"Some CPU", "2026-12-02", "abc1234", "A,C", 2, 0.75};

const Origin kOrigin = {"abc", "Some CPU", "0123"};

Problem MakeProblem(const std::string& shape_class = "many_rois") {
  return {Operator::kRoiPoolGrad, DataType::kFloat32, Isa::kBaseline, 2, shape_class, NamedShapes()};
}

Candidate MakeCandidate(int prefetch_distance) {
  return {test::SchedulesOf(Operator::kRoiPoolGrad).front(), {{"channel_block", 4}, {"prefetch_distance", prefetch_distance}}};
}

class TunedFileTest : public testing::Test {
 protected:
  std::string Read() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  test::TemporaryFolder folder_;
  std::string path_ = folder_.File("my.rows");
};

TEST_F(TunedFileTest, WritesRowsThatTheLibraryReads) {
  TunedFile file(path_);
  EXPECT_TRUE(file.Put(MakeProblem(), MakeCandidate(5), kToday));
  file.Save();
  EXPECT_EQ(Read(), "x86-64-baseline roi_pool_grad f32 many_rois " + MakeCandidate(5).schedule +
                        " channel_block=4 prefetch_distance=5  # cpu=\"Some CPU\" date=2026-12-02 commit=abc1234 threads=2 "
                        "shapes=A,C ns_per_bin=0.750\n");
  TuningPtr tuning;
  EXPECT_OK(LoadTuning(path_.c_str(), &tuning));
}

TEST_F(TunedFileTest, PuttingTheSameAgainChangesNothing) {
  TunedFile(path_).Save();
  TunedFile file(path_);
  EXPECT_TRUE(file.Put(MakeProblem(), MakeCandidate(5), kToday));
  file.Save();
  const std::string before = Read();
  Provenance later = kToday;
  later.date = "2027-01-01";
  TunedFile again(path_);
  EXPECT_FALSE(again.Put(MakeProblem(), MakeCandidate(5), later));
  again.Save();
  EXPECT_EQ(Read(), before);
}

TEST_F(TunedFileTest, ReplacesItsRowAndLeavesTheOthers) {
  const std::string others = "# my own remarks\n\nx86-64-avx2 roi_pool_grad f32 many_rois reference # kept\nnot even a row\n";
  std::ofstream(path_) << others << FormatRow(MakeProblem(), MakeCandidate(5)) << "\n# the end\n";
  TunedFile file(path_);
  EXPECT_TRUE(file.Put(MakeProblem(), MakeCandidate(6), kToday));
  EXPECT_TRUE(file.Put(MakeProblem("few_rois"), MakeCandidate(7), kToday));
  file.Save();
  const std::string text = Read();
  EXPECT_THAT(text, testing::StartsWith(others));
  EXPECT_THAT(text, testing::HasSubstr("prefetch_distance=6  # cpu"));
  EXPECT_THAT(text, testing::HasSubstr("# the end\nx86-64-baseline roi_pool_grad f32 few_rois"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("prefetch_distance=5")));
}

TEST_F(TunedFileTest, FindsTheRowThatIsThere) {
  std::ofstream(path_) << "# remarks\n" << FormatRow(MakeProblem(), MakeCandidate(5)) << "  # cpu\n";
  EXPECT_EQ(TunedFile(path_).Find(MakeProblem()), MakeCandidate(5));
  EXPECT_EQ(TunedFile(path_).Find(MakeProblem("few_rois")), std::nullopt);
}

TEST_F(TunedFileTest, WritersAtTheSameTimeLoseNoRow) {
  constexpr int kWriters = 8, kRows = 20;
  const auto name = [](int writer, int row) { return "class" + std::to_string(writer) + "_" + std::to_string(row); };
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int row = 0; row < kRows; ++row) {
        EXPECT_EQ(PutRow(path_, MakeProblem(name(writer, row)), MakeCandidate(row), kToday, {}), PutResult::kPut);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const TunedFile file(path_);
  for (int writer = 0; writer < kWriters; ++writer) {
    for (int row = 0; row < kRows; ++row) {
      EXPECT_EQ(file.Find(MakeProblem(name(writer, row))), MakeCandidate(row)) << name(writer, row);
    }
  }
}

// Nobody has compared a row that someone else put there meanwhile.
TEST_F(TunedFileTest, ARowThatCameMeanwhileStays) {
  EXPECT_EQ(PutRow(path_, MakeProblem(), MakeCandidate(5), kToday, {}), PutResult::kPut);
  const std::string before = Read();
  EXPECT_EQ(PutRow(path_, MakeProblem(), MakeCandidate(6), kToday, {}), PutResult::kOtherCameMeanwhile);
  EXPECT_EQ(PutRow(path_, MakeProblem(), MakeCandidate(6), kToday, MakeCandidate(7)), PutResult::kOtherCameMeanwhile);
  EXPECT_EQ(PutRow(path_, MakeProblem(), MakeCandidate(5), kToday, {}), PutResult::kSame);
  EXPECT_EQ(Read(), before);
  EXPECT_EQ(PutRow(path_, MakeProblem(), MakeCandidate(6), kToday, MakeCandidate(5)), PutResult::kPut);
  EXPECT_EQ(TunedFile(path_).Find(MakeProblem()), MakeCandidate(6));
}

TEST_F(TunedFileTest, JournalsOfOtherKernelsOrCpusAreThrownAway) {
  const std::string path = folder_.File("journal.jsonl");
  const auto resumed = [&](const Origin& origin) {
    Journal journal(path, MakeProblem(), MakeCandidate(5), origin);
    if (journal.findings().empty()) journal.Add({MakeCandidate(6), "", 0.5, 1.25});
    return journal.resumed();
  };
  EXPECT_EQ(resumed({"abc", "cpu", "1"}), 0u);
  EXPECT_EQ(resumed({"abc", "cpu", "1"}), 1u);
  EXPECT_EQ(resumed({"abc", "cpu", "2"}), 0u) << "other programs";
  EXPECT_EQ(resumed({"abc", "other cpu", "2"}), 0u);
  std::ofstream(folder_.File("program")) << "1";
  const std::string before = HashOf({folder_.File("program")});
  EXPECT_EQ(before, HashOf({folder_.File("program")}));
  std::ofstream(folder_.File("program")) << "2";
  EXPECT_NE(before, HashOf({folder_.File("program")}));
}

TEST_F(TunedFileTest, AProblemInAJournalStays) {
  const std::string path = folder_.File("journal.jsonl");
  Journal journal(path, MakeProblem(), MakeCandidate(5), kOrigin);
  journal.Add({MakeCandidate(6), "", 0.5, 1.25});
  journal.Add({MakeCandidate(6), "crashes", 0, 0});
  journal.Add({MakeCandidate(6), "", 0.5, 1.25});
  for (const Journal& each : {journal, Journal(path, MakeProblem(), MakeCandidate(5), kOrigin)}) {
    ASSERT_EQ(each.findings().size(), 1u);
    EXPECT_EQ(each.findings()[0].problem, "crashes");
  }
}

TEST_F(TunedFileTest, JournalsGoOnWhereTheyWereCutOff) {
  const std::string path = folder_.File("journal.jsonl");
  {
    Journal journal(path, MakeProblem(), MakeCandidate(5), kOrigin);
    journal.Add({MakeCandidate(6), "", 0.5, 1.25});
    journal.Add({MakeCandidate(7), "other bits", 0, 0});
  }
  std::ofstream(path, std::ios::app) << "{\"schedule\": \"cut o";
  Journal journal(path, MakeProblem(), MakeCandidate(5), kOrigin);
  ASSERT_EQ(journal.findings().size(), 2u);
  EXPECT_EQ(journal.resumed(), 2u);
  EXPECT_EQ(journal.findings()[0].candidate, MakeCandidate(6));
  EXPECT_EQ(journal.findings()[0].nanoseconds, 1.25);
  EXPECT_EQ(journal.findings()[1].problem, "other bits");
  EXPECT_EQ(Journal(path, MakeProblem(), MakeCandidate(5), kOrigin).resumed(), 2u) << "the part that was cut off is gone";
  EXPECT_EQ(Journal(path, MakeProblem(), MakeCandidate(4), kOrigin).resumed(), 0u) << "another start";
}

}  // namespace
}  // namespace roipool::cli
