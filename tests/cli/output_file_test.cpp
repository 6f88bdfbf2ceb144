// Output appears whole or not at all.
#include "output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npy_file.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace roipool::test {
namespace {

using cli::OutputFile;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OutputFile, AppearsWhenCommitted) {
  const TemporaryFolder folder;
  OutputFile file(folder.File("a"));
  WriteBytes(file.temporary_path().string(), "new");
  EXPECT_FALSE(std::filesystem::exists(folder.File("a")));
  file.Commit();
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
  EXPECT_EQ(ReadBytes(folder.File("a")), "new");
}

TEST(OutputFile, LeavesWhatWasThereUnlessCommitted) {
  const TemporaryFolder folder;
  WriteBytes(folder.File("a"), "old");
  {
    const OutputFile file(folder.File("a"));
    WriteBytes(file.temporary_path().string(), "half");
  }
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
  EXPECT_EQ(ReadBytes(folder.File("a")), "old");
}

TEST(OutputFile, ReplacesWhatALinkPointsTo) {
  const TemporaryFolder folder;
  WriteBytes(folder.File("real"), "old");
  std::filesystem::create_symlink("real", folder.File("link"));
  OutputFile file(folder.File("link"));
  WriteBytes(file.temporary_path().string(), "new");
  file.Commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("link")));
  EXPECT_EQ(ReadBytes(folder.File("real")), "new");
}

TEST(OutputFile, RefusesWhatIsNoPlaceForAFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile(folder.File("none/a")), cli::UserError);
  EXPECT_THROW(OutputFile(folder.File("")), cli::UserError);
  EXPECT_THROW(OutputFile(""), cli::UserError);
  EXPECT_THROW(OutputFile("/dev/null"), cli::UserError);
  EXPECT_THAT(folder.Names(), IsEmpty());
}

}  // namespace
}  // namespace roipool::test
