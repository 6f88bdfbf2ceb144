// How a forward is cut into tasks.
#include "pool_tasks.h"

#include <gtest/gtest.h>

namespace roipool::internal {
namespace {

constexpr CallSizes kShapeA = {.rois = 1024, .channels = 256, .bins = 49, .images = 2, .pixels = 50 * 68};
constexpr CallSizes kShapeE = {.rois = 512, .channels = 256, .bins = 49, .images = 2, .pixels = 200 * 272};

TEST(PoolTasks, EveryChannelOfEveryPartIsInOneTask) {
  for (const int64_t channels : {1, 15, 16, 17, 63, 64, 65, 1000}) {
    for (const int64_t images : {0, 1, 2, 5}) {
      for (const int64_t rois : {1, 30, 3000}) {
        for (const int32_t threads : {1, 2, 3, 8, 256}) {
          const CallSizes sizes = {rois, channels, 49, images, 100};
          const PoolTasks tasks = ChoosePoolTasks(sizes, 4, threads);
          const testing::Message text = testing::Message() << channels << " channels, " << images << " images, " << rois
                                                           << " rois, " << threads << " threads";
          EXPECT_EQ(tasks.channel_block % kChannelVector, 0) << text;
          ASSERT_GE(tasks.channel_block, kChannelVector) << text;
          ASSERT_LE(tasks.channel_block, kMaxSearchedChannels) << text;
          EXPECT_GE(tasks.Blocks(channels) * tasks.channel_block, channels) << text;
          EXPECT_LT((tasks.Blocks(channels) - 1) * tasks.channel_block, channels) << text;
          EXPECT_GE(tasks.parts, 1) << text;
          EXPECT_LE(tasks.parts, rois) << text;
          EXPECT_LE(tasks.threads, threads) << text;
          EXPECT_EQ(tasks.Count(sizes), tasks.Blocks(channels) * images * tasks.parts) << text;
        }
      }
    }
  }
}

TEST(PoolTasks, PartsOfAnImageAreAllOfItsRois) {
  for (const int32_t parts : {1, 2, 3, 7, 20}) {
    int64_t position = 5;
    for (int32_t part = 0; part < parts; ++part) {
      const Positions rois = PartOf({5, 18}, part, parts);
      EXPECT_EQ(rois.begin, position);
      EXPECT_GE(rois.end, rois.begin);
      position = rois.end;
    }
    EXPECT_EQ(position, 18);
  }
}

TEST(PoolTasks, ThreadsFindWork) {
  EXPECT_EQ(ChoosePoolTasks(kShapeA, 4, 1).channel_block, 64);
  EXPECT_EQ(ChoosePoolTasks(kShapeA, 4, 2).channel_block, 64);
  // Smaller blocks first, then parts of the rois.
  EXPECT_EQ(ChoosePoolTasks(kShapeA, 4, 16).channel_block, 16);
  EXPECT_EQ(ChoosePoolTasks(kShapeA, 4, 16).parts, 1);
  EXPECT_GE(ChoosePoolTasks(kShapeA, 4, 256).Count(kShapeA), 256);
  // Too little for a second thread.
  EXPECT_EQ(ChoosePoolTasks({.rois = 10, .channels = 32, .bins = 49, .images = 1, .pixels = 100}, 4, 8).threads, 1);
}

TEST(PoolTasks, BlocksOfLargeMapsStayInACache) {
  EXPECT_EQ(ChoosePoolTasks(kShapeE, 2, 1).channel_block, 64);
  EXPECT_EQ(ChoosePoolTasks(kShapeE, 4, 1).channel_block, 32);
  EXPECT_EQ(ChoosePoolTasks(kShapeE, 8, 1).channel_block, 16);
}

TEST(PoolTasks, AKnobSetsTheBlockByVectors) {
  for (const auto& [knob, block] :
       {std::pair(1, 16), std::pair(16, 16), std::pair(17, 32), std::pair(48, 48), std::pair(64, 64)}) {
    CallKnobs knobs;
    knobs.channel_block = knob;
    EXPECT_EQ(ChoosePoolTasks(kShapeA, 4, 1, knobs).channel_block, block) << knob;
  }
}

TEST(PoolTasks, NoKnobMakesABlockThatAKernelCannotCount) {
  CallKnobs knobs;
  knobs.channel_block = 64;
  const CallSizes sizes = {.rois = 1, .channels = 64, .bins = 1, .images = 1, .pixels = INT64_C(1) << 26};
  EXPECT_EQ(ChoosePoolTasks(sizes, 2, 1, knobs).channel_block, 16);
}

}  // namespace
}  // namespace roipool::internal
