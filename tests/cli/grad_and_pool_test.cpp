// `roipool grad` and `roipool pool`: from .npy to .npy, and how bad input is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "npy_file.h"
#include "run_program.h"
#include "temporary_folder.h"

namespace roipool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two bins in two channels of the second of two images of 2 x 2 pixels.
class GradCommand : public ::testing::Test {
 protected:
  GradCommand() {
    WriteBytes(File("g.npy"), NpyBytes<float>("<f4", "(1, 2, 1, 1)", {5, 7}));
    WriteBytes(File("a.npy"), NpyBytes<int32_t>("<i4", "(1, 2, 1, 1)", {3, 1}));
    WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {1, 0, 0, 1, 1}));
  }

  std::string File(const std::string& name) const { return folder_.File(name); }

  ProgramRun Run(std::vector<std::string> more = {}, const std::string& input_shape = "2,2,2,2",
                 const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments = {"grad",        "--grad-output", File("g.npy"), "--argmax", File("a.npy"), "--rois",
                                          File("r.npy"), "--input-shape", input_shape,   "-o",       File("gi.npy")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram(arguments, environment);
  }

  // Whether the run is refused and nothing but the inputs is left.
  void ExpectRefused(const ProgramRun& run, const std::string& part) const {
    EXPECT_TRUE(IsRefused(run, "roipool grad: ", part));
    EXPECT_THAT(folder_.Names(), ElementsAre("a.npy", "g.npy", "r.npy"));
  }

  TemporaryFolder folder_;
};

TEST_F(GradCommand, WritesTheGradient) {
  const ProgramRun run = Run();
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(ReadNpy<float>(File("gi.npy"), "<f4", "(2, 2, 2, 2)"),
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 7, 0, 0));
  EXPECT_THAT(run.output, HasSubstr("grad_input (2, 2, 2, 2) f32"));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad_f32_"));
  EXPECT_THAT(run.output, HasSubstr("phase 2"));
}

TEST_F(GradCommand, RunsTheKernelThatIsAskedFor) {
  const ProgramRun run = Run({"--schedule", "reference", "--max-isa", "baseline", "--threads", "1"});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad_f32_reference_baseline, 1 thread,"));
  EXPECT_TRUE(IsRefused(Run({"--schedule", "none_such"}), "roipool grad: ", "none_such"));
}

// In fixed point, with the CPU's bits.
TEST_F(GradCommand, RunsOnADevice) {
  WriteBytes(File("g.npy"), NpyBytes<float>("<f4", "(1, 2, 1, 1)", {0.1f, 1e-3f}));
  ASSERT_TRUE(IsDone(Run({"--accumulation", "fixed_point"})));
  const std::string on_cpu = ReadBytes(File("gi.npy"));
  const TemporaryFolder kernel_cache;
  const ProgramRun run =
      Run({"--accumulation", "fixed_point", "--device", "opencl"}, "2,2,2,2", {"POCL_CACHE_DIR=" + kernel_cache.File("pocl")});
  if (run.errors.find("no OpenCL") != std::string::npos) GTEST_SKIP() << run.errors;
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_grad_f32_gpu_fixed_point_opencl"));
  EXPECT_EQ(ReadBytes(File("gi.npy")), on_cpu);
}

TEST_F(GradCommand, RefusesADeviceWhoseMemoryItCannotFill) {
  const ProgramRun run = Run({"--device", "cuda"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.errors, HasSubstr("--device"));
}

TEST_F(GradCommand, ReadsAndWritesBFloat16AsUint16) {
  WriteBytes(File("g.npy"), NpyBytes<uint16_t>("<u2", "(1, 2, 1, 1)", {0x40a0, 0x40e0}));
  ASSERT_TRUE(IsDone(Run({"--bf16"})));
  EXPECT_THAT(ReadNpy<uint16_t>(File("gi.npy"), "<u2", "(2, 2, 2, 2)"),
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40a0, 0, 0x40e0, 0, 0));
}

TEST_F(GradCommand, TakesInt64ArgmaxAndRoisOfAnotherType) {
  WriteBytes(File("a.npy"), NpyBytes<int64_t>("<i8", "(1, 2, 1, 1)", {3, 1}));
  WriteBytes(File("r.npy"), NpyBytes<double>("<f8", "(1, 5)", {1, 0, 0, 1, 1}));
  WriteBytes(File("g.npy"), NpyBytes<double>("<f8", "(1, 2, 1, 1)", {5, 7}));
  ASSERT_TRUE(IsDone(Run()));
  EXPECT_EQ(ReadNpy<double>(File("gi.npy"), "<f8", "(2, 2, 2, 2)")[11], 5);
}

TEST_F(GradCommand, WithoutRoisEverythingIsZero) {
  WriteBytes(File("g.npy"), NpyBytes<float>("<f4", "(0, 2, 1, 1)", {}));
  WriteBytes(File("a.npy"), NpyBytes<int32_t>("<i4", "(0, 2, 1, 1)", {}));
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(0, 5)", {}));
  ASSERT_TRUE(IsDone(Run()));
  EXPECT_EQ(ReadNpy<float>(File("gi.npy"), "<f4", "(2, 2, 2, 2)"), std::vector<float>(16, 0));
}

TEST_F(GradCommand, MayOverwriteItsInput) {
  ASSERT_TRUE(IsDone(Run({}, "2,2,2,2")));
  std::filesystem::rename(File("gi.npy"), File("expected.npy"));
  const ProgramRun run = RunProgram({"grad", "--grad-output", File("g.npy"), "--argmax", File("a.npy"), "--rois", File("r.npy"),
                                     "--input-shape", "2,2,2,2", "-o", File("g.npy")});
  ASSERT_TRUE(IsDone(run));
  EXPECT_EQ(ReadBytes(File("g.npy")), ReadBytes(File("expected.npy")));
}

TEST_F(GradCommand, RefusesBadShapes) {
  for (const char* shape :
       {"", "1,2,3", "1,2,3,4,5", "2,2,-2,2", "2,2,2,x", "2;2;2;2", "2,2,2,2,", "99999999999999999999,1,1,1"}) {
    ExpectRefused(Run({}, shape), "--input-shape");
  }
  ExpectRefused(Run({}, "2,3,2,2"), "grad_input");
  ExpectRefused(Run({}, "2,2,65536,65536"), "grad_input");
  ExpectRefused(Run({}, "9223372036854775807,2,9223372036854775807,2"), "grad_input");
}

TEST_F(GradCommand, RefusesBadFiles) {
  WriteBytes(File("g.npy"), "no array");
  ExpectRefused(Run(), "g.npy' is not a .npy file");
  WriteBytes(File("g.npy"), NpyBytes<float>("<f4", "(2,)", {5, 7}));
  ExpectRefused(Run(), "grad_output");
  WriteBytes(File("g.npy"), NpyBytes<int32_t>("<i4", "(1, 2, 1, 1)", {5, 7}));
  ExpectRefused(Run(), "grad_output");
  WriteBytes(File("g.npy"), NpyBytes<uint16_t>("<u2", "(1, 2, 1, 1)", {5, 7}));
  ExpectRefused(Run(), "--bf16");
}

TEST_F(GradCommand, RefusesValuesOutOfRange) {
  WriteBytes(File("a.npy"), NpyBytes<int32_t>("<i4", "(1, 2, 1, 1)", {3, 4}));
  ExpectRefused(Run(), "argmax[0, 1, 0, 0] is 4");
  WriteBytes(File("a.npy"), NpyBytes<int32_t>("<i4", "(1, 2, 1, 1)", {3, 1}));
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {2, 0, 0, 1, 1}));
  ExpectRefused(Run(), "rois[0, 0] is 2");
}

TEST_F(GradCommand, RefusesOutputThatCannotBeWritten) {
  for (const std::string& output : {File("none/gi.npy"), File(""), std::string("/dev/null")}) {
    const ProgramRun run = RunProgram({"grad", "--grad-output", File("g.npy"), "--argmax", File("a.npy"), "--rois",
                                       File("r.npy"), "--input-shape", "2,2,2,2", "-o", output});
    ExpectRefused(run, "cannot write '" + output + "'");
  }
}

TEST_F(GradCommand, AFailedRunLeavesOlderOutputAlone) {
  WriteBytes(File("gi.npy"), "old");
  WriteBytes(File("a.npy"), NpyBytes<int32_t>("<i4", "(1, 2, 1, 1)", {3, 4}));
  EXPECT_TRUE(IsRefused(Run(), "roipool grad: ", "argmax"));
  EXPECT_EQ(ReadBytes(File("gi.npy")), "old");
  EXPECT_THAT(folder_.Names(), ElementsAre("a.npy", "g.npy", "gi.npy", "r.npy"));
}

class PoolCommand : public ::testing::Test {
 protected:
  PoolCommand() {
    WriteBytes(File("x.npy"), NpyBytes<float>("<f4", "(1, 1, 3, 3)", {1, 2, 3, 4, 9, 5, 6, 7, 8}));
    WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {0, 0, 0, 2, 2}));
  }

  std::string File(const std::string& name) const { return folder_.File(name); }

  ProgramRun Run(std::vector<std::string> more = {}, const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments = {"pool", "--x", File("x.npy"), "--rois", File("r.npy")};
    for (const auto& [option, value] :
         {std::pair<std::string, std::string>{"--pooled", "2,2"}, {"-y", File("y.npy")}, {"--argmax", File("a.npy")}}) {
      if (std::find(more.begin(), more.end(), option) == more.end()) arguments.insert(arguments.end(), {option, value});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram(arguments, environment);
  }

  std::vector<float> Y(const std::string& shape = "(1, 1, 2, 2)") const { return ReadNpy<float>(File("y.npy"), "<f4", shape); }
  std::vector<int32_t> Argmax(const std::string& shape = "(1, 1, 2, 2)") const {
    return ReadNpy<int32_t>(File("a.npy"), "<i4", shape);
  }

  TemporaryFolder folder_;
};

TEST_F(PoolCommand, WritesLargestValuesAndWhereTheyLie) {
  ASSERT_TRUE(IsDone(Run()));
  EXPECT_THAT(Y(), ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(Argmax(), ElementsAre(4, 4, 4, 4));
}

TEST_F(PoolCommand, RunsOnOpenClWithTheSameResults) {
  const TemporaryFolder kernel_cache;
  const ProgramRun run = Run({"--device", "opencl"}, {"POCL_CACHE_DIR=" + kernel_cache.File("pocl")});
  if (run.errors.find("no OpenCL") != std::string::npos) GTEST_SKIP() << run.errors;
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(run.output, HasSubstr("roi_pool_f32_gpu_bins_opencl"));
  EXPECT_THAT(Y(), ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(Argmax(), ElementsAre(4, 4, 4, 4));
  EXPECT_EQ(Run({"--device", "cuda"}).status, 2) << "its tensors would be device memory";
}

TEST_F(PoolCommand, ScalesBoxes) {
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {0, 0, 0, 8, 4}));
  EXPECT_TRUE(IsRefused(Run({"--spatial-scale-h", "0"}), "roipool pool: ", "spatial_scale_h"));
  ASSERT_TRUE(IsDone(Run({"--pooled", "1x1", "--spatial-scale-w", "0.25", "--spatial-scale-h", "0.1"})));
  EXPECT_THAT(Y("(1, 1, 1, 1)"), ElementsAre(3));
  EXPECT_THAT(Argmax("(1, 1, 1, 1)"), ElementsAre(2));
  ASSERT_TRUE(IsDone(Run({"--pooled", "1x1", "--spatial-scale", "0.25"})));
  EXPECT_THAT(Y("(1, 1, 1, 1)"), ElementsAre(9));
}

TEST_F(PoolCommand, KnowsBothGeometries) {
  // Without rounding the box covers [0.6, 1.6) x [0.6, 1.6), that is pixels 0 and 1; rounded it is pixel 1 alone.
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {0, 0.6f, 0.6f, 0.6f, 0.6f}));
  WriteBytes(File("x.npy"), NpyBytes<float>("<f4", "(1, 1, 3, 3)", {10, 2, 3, 4, 9, 5, 6, 7, 8}));
  ASSERT_TRUE(IsDone(Run({"--pooled", "1,1"})));
  EXPECT_THAT(Argmax("(1, 1, 1, 1)"), ElementsAre(4));
  ASSERT_TRUE(IsDone(Run({"--pooled", "1,1", "--geometry", "aclnn"})));
  EXPECT_THAT(Argmax("(1, 1, 1, 1)"), ElementsAre(0));
}

TEST_F(PoolCommand, KnowsBothRoiLayouts) {
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {0, 2, 2, 0, 1}));
  ASSERT_TRUE(IsDone(Run({"--pooled", "1,1", "--roi-layout", "x1x2y1y2"})));
  EXPECT_THAT(Argmax("(1, 1, 1, 1)"), ElementsAre(5));
}

TEST_F(PoolCommand, ItsResultFeedsTheGradient) {
  ASSERT_TRUE(IsDone(Run()));
  const ProgramRun run = RunProgram({"grad", "--grad-output", File("y.npy"), "--argmax", File("a.npy"), "--rois", File("r.npy"),
                                     "--input-shape", "1,1,3,3", "-o", File("gi.npy")});
  ASSERT_TRUE(IsDone(run));
  EXPECT_THAT(ReadNpy<float>(File("gi.npy"), "<f4", "(1, 1, 3, 3)"), ElementsAre(0, 0, 0, 0, 36, 0, 0, 0, 0));
}

TEST_F(PoolCommand, RefusesBadInput) {
  EXPECT_TRUE(IsRefused(Run({"--pooled", "0,2"}), "roipool pool: ", "--pooled"));
  EXPECT_TRUE(IsRefused(Run({"--pooled", "7"}), "roipool pool: ", "--pooled"));
  EXPECT_TRUE(IsRefused(Run({"--pooled", "9999999999,9999999999"}), "roipool pool: ", "RoiPoolGetWorkspaceSize"));
  EXPECT_TRUE(IsRefused(Run({"--spatial-scale", "-1"}), "roipool pool: ", "spatial_scale"));
  EXPECT_TRUE(IsRefused(Run({"--spatial-scale", "nan"}), "roipool pool: ", "spatial_scale"));
  EXPECT_TRUE(IsRefused(Run({"--spatial-scale", "big"}), "roipool pool: ", "--spatial-scale"));
  EXPECT_TRUE(IsRefused(Run({"--geometry", "flat"}), "roipool pool: ", "--geometry"));
  EXPECT_TRUE(IsRefused(Run({"-y", File("a.npy")}), "roipool pool: ", "two files"));
  WriteBytes(File("r.npy"), NpyBytes<float>("<f4", "(1, 5)", {0, 0, 0, std::numeric_limits<float>::infinity(), 2}));
  EXPECT_TRUE(IsRefused(Run(), "roipool pool: ", "rois[0, 3] is inf"));
  EXPECT_THAT(folder_.Names(), ElementsAre("r.npy", "x.npy"));
}

}  // namespace
}  // namespace roipool::test
