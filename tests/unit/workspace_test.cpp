#include "workspace.h"

#include <gtest/gtest.h>

#include <limits>

namespace roipool::internal {
namespace {

constexpr auto kAlignment = static_cast<int64_t>(kWorkspaceAlignment);

TEST(Workspace, IsEmptyAtFirst) {
  const Workspace workspace;
  EXPECT_EQ(workspace.size(), 0u);
  EXPECT_FALSE(workspace.IsBooked(Piece::kOrder));
  EXPECT_EQ(workspace.Carve<int>(Piece::kOrder, nullptr), nullptr);
}

TEST(Workspace, PiecesAreAlignedApartAndInside) {
  Workspace workspace;
  ASSERT_TRUE(workspace.Book(Piece::kImages, 3, 4));
  ASSERT_TRUE(workspace.Book(Piece::kGradOutput, 65, 1));
  ASSERT_TRUE(workspace.Book(Piece::kBegin, 16, 4));
  alignas(kWorkspaceAlignment) std::byte memory[4 * kAlignment];
  EXPECT_EQ(workspace.size(), 4u * kWorkspaceAlignment);
  EXPECT_EQ(workspace.Carve<std::byte>(Piece::kImages, memory), memory);
  EXPECT_EQ(workspace.Carve<std::byte>(Piece::kGradOutput, memory), memory + kAlignment);
  EXPECT_EQ(workspace.Carve<std::byte>(Piece::kBegin, memory), memory + 3 * kAlignment);
  EXPECT_EQ(workspace.Carve<std::byte>(Piece::kArgmax, memory), nullptr);
  EXPECT_TRUE(workspace.IsBooked(Piece::kBegin));
  EXPECT_FALSE(workspace.IsBooked(Piece::kArgmax));
}

TEST(Workspace, SizesNeverWrap) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  Workspace workspace;
  EXPECT_FALSE(workspace.Book(Piece::kX, kMax, 2));
  EXPECT_FALSE(workspace.Book(Piece::kX, kMax, 1)) << "rounding up to the alignment";
  EXPECT_TRUE(workspace.Book(Piece::kX, kMax / 2, 1));
  EXPECT_TRUE(workspace.Book(Piece::kY, kMax / 2 - kAlignment, 1));
  EXPECT_FALSE(workspace.Book(Piece::kArgmax, kMax / 2, 1));
}

}  // namespace
}  // namespace roipool::internal
