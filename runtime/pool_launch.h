// Calls the forward's kernels on the CPU, step by step.
#ifndef ROIPOOL_RUNTIME_POOL_LAUNCH_H_
#define ROIPOOL_RUNTIME_POOL_LAUNCH_H_

#include <cstdint>

#include "kernel_registry.h"
#include "pool_tasks.h"
#include "roipool/status.h"
#include "roipool/tensor.h"

namespace roipool::internal {

/// One axis of the boxes and of the map.
struct EdgesLaunch {
  const float* corners;  ///< Where the axis begins in the first box; where it ends is 2 elements behind.
  int64_t rois;          ///< 4 elements from one to the next.
  float spatial_scale;
  bool rounds_corners;
  int64_t bins, size;
  int32_t* edges;  ///< (rois, 2, bins)
};

/// `isa`: of the kernel that takes the edges. The same edges on every ISA.
Status LaunchPoolEdges(const char* function, Isa isa, const EdgesLaunch& launch) noexcept;

/// Tensors with any strides that are not negative, everything within 31 bits.
struct RoiPoolLaunch {
  CallSizes sizes;  ///< `images` may be fewer than those of `x`: those that `begin` is about.
  PoolTasks tasks;
  TensorView x;                ///< (images, channels, height, width)
  const int32_t* columns;      ///< (rois, 2, pooled_w): of LaunchPoolEdges().
  const int32_t* rows;         ///< (rois, 2, pooled_h)
  const int32_t* order;        ///< (rois): sorted by image.
  const int32_t* begin;        ///< (sizes.images + 1): where each image's rois begin in `order`.
  const int32_t* tiles;        ///< Pixels that windows read; see window_tiles.h. Null unless the kernel reads channel vectors.
  const int32_t* tiles_begin;  ///< (sizes.images + 1): where those of each image begin in `tiles`.
  void* vectors;               ///< CopiedElements() elements; null if that is 0.
  TensorView y, argmax;        ///< (rois, channels, pooled_h, pooled_w); planes dense.
};

/// Whether rows of `x` follow each other, so that it has one row as far as tiles are concerned.
bool HasAdjacentRows(const TensorLayout& x) noexcept;

/// How many elements copies of blocks of channels of `x` need; 0 if `kernel` reads all of them where they are. At most a copy
/// of `x` whose channels are a multiple of kChannelVector.
int64_t CopiedElements(const Kernel& kernel, const TensorLayout& x, const PoolTasks& tasks, const CallSizes& sizes) noexcept;

Status LaunchRoiPool(const char* function, const Kernel& kernel, const RoiPoolLaunch& launch) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_POOL_LAUNCH_H_
