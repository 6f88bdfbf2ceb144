// `roipool demo` on pictures that are made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel_rows.h"
#include "npy_file.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "test_pictures.h"

namespace roipool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class DemoCommand : public ::testing::Test {
 protected:
  DemoCommand() { WriteBytes(File("picture.png"), PngBytes(SquaresPicture(170, 130, 13, 31))); }

  std::string File(const std::string& name) const { return folder_.File(name); }

  ProgramRun Run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"demo", "--image", File("picture.png"), "--output-dir", File("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram(arguments);
  }

  // Every picture is there, of a size to look at, and nothing else.
  void ExpectPictures() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(File("out")))
      names.push_back(entry.path().filename().string());
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("boxes.png", "features.png", "gradient.png", "bins.png"));
    for (const std::string& name : names) {
      const auto [width, height] = PngSize(ReadBytes(File("out/" + name)));
      EXPECT_GE(width, 200u) << name;
      EXPECT_LE(width, 1600u) << name;
      EXPECT_GE(height, 200u) << name;
      EXPECT_LE(height, 1600u) << name;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(DemoCommand, DrawsPicturesAndChecksItself) {
  const ProgramRun run = Run();
  ASSERT_TRUE(IsDone(run));
  ExpectPictures();
  EXPECT_THAT(run.output, HasSubstr("(1, 27, 33, 43) f32"));
  EXPECT_THAT(run.output, HasSubstr("no network"));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad_f32_" + SchedulesOf(Operator::kRoiPoolGrad).front() + "_"));
  EXPECT_THAT(run.output, HasSubstr("ok      sum of grad_output"));
  EXPECT_THAT(run.output, HasSubstr("with 1 thread gives the same bits"));
  EXPECT_THAT(run.output, HasSubstr(File("out/gradient.png")));
  EXPECT_THAT(run.output, Not(HasSubstr("FAILED")));
}

TEST_F(DemoCommand, TakesJpegAndBoxesAndOptions) {
  WriteBytes(File("picture.png"), JpegBytes(SquaresPicture(90, 260, 9, 20)));
  WriteBytes(File("boxes.csv"), "x1,y1,x2,y2\n3,4,60,70\n-10,100,200,1e30\n");
  const ProgramRun run = Run({"--boxes", File("boxes.csv"), "--pooled", "3x5", "--show-box", "2", "--show-channel", "0",
                              "--threads", "2", "--max-isa", "baseline", "--schedule", "reference"});
  ASSERT_TRUE(IsDone(run));
  ExpectPictures();
  EXPECT_THAT(run.output, HasSubstr("(2, 27, 3, 5) f32"));
  EXPECT_THAT(run.output, HasSubstr("2, from boxes.csv"));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_f32_reference_baseline, 2 threads"));
}

TEST_F(DemoCommand, RefusesBadInput) {
  EXPECT_TRUE(IsRefused(RunProgram({"demo"}), "roipool demo: ", "--image FILE"));
  EXPECT_TRUE(IsRefused(Run({"--boxes", File("none.csv")}), "roipool demo: ", "none.csv"));
  EXPECT_TRUE(IsRefused(Run({"--pooled", "0,7"}), "roipool demo: ", "--pooled"));
  EXPECT_TRUE(IsRefused(Run({"--show-box", "1000"}), "roipool demo: ", "--show-box"));
  EXPECT_TRUE(IsRefused(Run({"--show-channel", "27"}), "roipool demo: ", "--show-channel"));
  WriteBytes(File("boxes.csv"), "1,2,3\n");
  EXPECT_TRUE(IsRefused(Run({"--boxes", File("boxes.csv")}), "roipool demo: ", "line 1 has 3 fields"));
  WriteBytes(File("picture.png"), PngBytes(GreyPicture(64, 64, 128)));
  EXPECT_TRUE(IsRefused(Run(), "roipool demo: ", "no edges found"));
  WriteBytes(File("picture.png"), "no picture");
  EXPECT_TRUE(IsRefused(Run(), "roipool demo: ", "neither PNG nor JPEG"));
  EXPECT_THAT(folder_.Names(), ElementsAre("boxes.csv", "picture.png"));
}

TEST_F(DemoCommand, RefusesAFolderThatCannotBe) {
  WriteBytes(File("out"), "a file");
  EXPECT_TRUE(IsRefused(Run(), "roipool demo: ", File("out")));
}

}  // namespace
}  // namespace roipool::test
