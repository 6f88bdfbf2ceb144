// How a gradient is cut into tasks.
#include "grad_tasks.h"

#include <gtest/gtest.h>

#include "kernel_layout.h"

namespace roipool::internal {
namespace {

constexpr CallSizes kShapeA = {.rois = 1024, .channels = 256, .bins = 49, .images = 2, .pixels = 50 * 68};
constexpr CallSizes kShapeB = {.rois = 128, .channels = 512, .bins = 49, .images = 2, .pixels = 38 * 63};
constexpr CallSizes kShapeE = {.rois = 512, .channels = 256, .bins = 49, .images = 2, .pixels = 200 * 272};

TEST(GradTasks, EveryChannelOfEveryImageIsInOneTask) {
  for (const int64_t channels : {1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 1000}) {
    for (const int64_t images : {1, 2, 5}) {
      for (const int64_t rois : {1, 30, 3000}) {
        for (const int32_t threads : {1, 2, 3, 8, 256}) {
          const CallSizes sizes = {rois, channels, 49, images, 100};
          const GradTasks tasks = ChooseGradTasks(sizes, threads);
          const testing::Message text = testing::Message() << channels << " channels, " << images << " images, " << rois
                                                           << " rois, " << threads << " threads";
          ASSERT_GE(tasks.channel_block, 1) << text;
          ASSERT_LE(tasks.channel_block, channels) << text;
          EXPECT_GE(tasks.Blocks(channels) * tasks.channel_block, channels) << text;
          EXPECT_LT((tasks.Blocks(channels) - 1) * tasks.channel_block, channels) << text;
          EXPECT_EQ(tasks.Count(sizes), tasks.Blocks(channels) * images / tasks.images_per_task) << text;
        }
      }
    }
  }
}

TEST(GradTasks, LargeWorkIsCutIntoWholeGroups) {
  for (const CallSizes& sizes : {kShapeA, kShapeB, kShapeE}) {
    for (const int32_t threads : {1, 2, 8}) {
      const GradTasks tasks = ChooseGradTasks(sizes, threads);
      EXPECT_EQ(tasks.channel_block % kMaxGroupChannels, 0);
      EXPECT_EQ(tasks.images_per_task, 1);
      EXPECT_GE(tasks.Count(sizes), 4 * threads);
    }
  }
}

TEST(GradTasks, FewRoisMakeLargerBlocksAsLongAsTheirPlanesFitTheCache) {
  EXPECT_EQ(ChooseGradTasks(kShapeA, 1).channel_block, 4);
  EXPECT_EQ(ChooseGradTasks(kShapeB, 1).channel_block, 8);
  EXPECT_EQ(ChooseGradTasks(kShapeE, 1).channel_block, 4);
  CallSizes few_rois_on_large_maps = kShapeE;
  few_rois_on_large_maps.rois = 8;
  EXPECT_EQ(ChooseGradTasks(few_rois_on_large_maps, 1).channel_block, 4);
}

TEST(GradTasks, SmallWorkIsOneTask) {
  const CallSizes sizes = {.rois = 1, .channels = 32, .bins = 4, .images = 4, .pixels = 9};
  EXPECT_EQ(ChooseGradTasks(sizes, 8).Count(sizes), 1);
}

TEST(GradTasks, FewPlanesAreSharedEvenly) {
  for (const int64_t planes : {1, 2, 3, 4, 6, 8, 12}) {
    for (const int32_t threads : {1, 2, 3, 4}) {
      if (planes > kMaxGroupChannels * threads) continue;
      const CallSizes sizes = {.rois = 10000, .channels = planes, .bins = 49, .images = 1, .pixels = 3400};
      const GradTasks tasks = ChooseGradTasks(sizes, threads);
      const int64_t tasks_of_busiest = (tasks.Count(sizes) + threads - 1) / threads;
      EXPECT_LE(tasks_of_busiest * tasks.channel_block, (planes + threads - 1) / threads) << planes << " planes, " << threads;
    }
  }
}

}  // namespace
}  // namespace roipool::internal
