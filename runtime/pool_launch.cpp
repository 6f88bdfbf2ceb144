#include "pool_launch.h"

#include <algorithm>

#include "call_context.h"
#include "halide_view.h"
#include "launch.h"
#include "make_status.h"

namespace roipool::internal {
namespace {

bool HasAdjacentChannels(const TensorLayout& x) noexcept { return x.strides[1] == 1; }

struct ChannelRange {
  int64_t begin, count;
};

// Rois that follow each other.
struct RoiRun {
  int64_t first, count;
};

// Channels of one image as a kernel reads them: (channel, w, h).
struct ReadableMap {
  const void* data;
  int64_t offset, channels, channel_stride, w_stride, h_stride;
};

struct PoolCall {
  const Kernel& kernel;
  const PoolSteps& steps;
  const RoiPoolLaunch& launch;

  // What one index of RunTasks() stands for, here and in CopyPart().
  struct Work {
    int64_t image;
    int32_t part;
    int64_t copy;  // Whose block of `vectors`, if copies are shared.
    ChannelRange in_place, copied;
  };

  // Channels are read where they are as far as they fill vectors there.
  Work WorkOf(int32_t index) const noexcept {
    const TensorView& x = launch.x;
    const int32_t blocks = launch.tasks.Blocks(x.shape[1]), block = index % blocks;
    const int64_t image = index / blocks / launch.tasks.parts;
    const int64_t begin = static_cast<int64_t>(block) * launch.tasks.channel_block;
    const int64_t count = std::min<int64_t>(launch.tasks.channel_block, x.shape[1] - begin);
    int64_t in_place = count;
    if (kernel.reads_channel_vectors) in_place = HasAdjacentChannels(x) ? count / kChannelVector * kChannelVector : 0;
    return {.image = image,
            .part = index / blocks % launch.tasks.parts,
            .copy = image * blocks + block,
            .in_place = {begin, in_place},
            .copied = {begin + in_place, count - in_place}};
  }

  static int CopyPart(CallContext& context, int32_t index, int32_t /*worker*/, const void* closure) noexcept {
    const auto& call = *static_cast<const PoolCall*>(closure);
    const Work work = call.WorkOf(index);
    const int32_t* begin = call.launch.tiles_begin + work.image;
    return call.CopyChannels(context, work, PartOf({begin[0], begin[1]}, work.part, call.launch.tasks.parts), work.copy);
  }

  static int RunTask(CallContext& context, int32_t index, int32_t worker, const void* closure) noexcept {
    const auto& call = *static_cast<const PoolCall*>(closure);
    const RoiPoolLaunch& launch = call.launch;
    const TensorView& x = launch.x;
    const Work work = call.WorkOf(index);
    const Positions rois = PartOf({launch.begin[work.image], launch.begin[work.image + 1]}, work.part, launch.tasks.parts);
    if (rois.begin == rois.end) return 0;
    if (work.in_place.count > 0) {
      const int64_t offset = work.image * x.strides[0] + work.in_place.begin * x.strides[1];
      const ReadableMap map = {x.data, offset, work.in_place.count, x.strides[1], x.strides[3], x.strides[2]};
      if (const int error = call.RunRois(context, map, rois, work.in_place); error != 0) return error;
    }
    if (work.copied.count == 0) return 0;

    const int64_t copy = launch.tasks.shares_copies() ? work.copy : worker;
    if (!launch.tasks.shares_copies()) {
      const int32_t* begin = launch.tiles_begin + work.image;
      if (const int error = call.CopyChannels(context, work, {begin[0], begin[1]}, copy); error != 0) return error;
    }
    const int64_t lanes = LanesOf(work.copied.count), offset = copy * ElementsOfCopy(x, launch.tasks);
    return call.RunRois(context, {launch.vectors, offset, lanes, 1, lanes, lanes * x.shape[3]}, rois, work.copied);
  }

  static int64_t ElementsOfCopy(const TensorLayout& x, const PoolTasks& tasks) noexcept {
    const int64_t most = HasAdjacentChannels(x) ? kChannelVector : LanesOf(x.shape[1]);
    // Even a map without pixels needs a place: a kernel takes a null pointer for a mistake.
    return std::min<int64_t>(most, tasks.channel_block) * std::max<int64_t>(x.shape[2] * x.shape[3], 1);
  }

  static int64_t LanesOf(int64_t channels) noexcept {
    return (channels + kChannelVector - 1) / kChannelVector * kChannelVector;
  }

  int CopyChannels(CallContext& context, const Work& work, const Positions& tiles_of_map, int64_t copy) const noexcept {
    if (work.copied.count == 0 || tiles_of_map.begin == tiles_of_map.end) return 0;
    const TensorView& x = launch.x;
    const int64_t pixels = x.shape[2] * x.shape[3];
    const bool is_one_row = HasAdjacentRows(x);
    HalideView planes(x.data, kernel.type,
                      {{is_one_row ? pixels : x.shape[3], x.shape[3] > 1 ? x.strides[3] : x.strides[2]},
                       {is_one_row ? 1 : x.shape[2], is_one_row ? 0 : x.strides[2]},
                       {work.copied.count, x.strides[1]}},
                      work.image * x.strides[0] + work.copied.begin * x.strides[1]);
    HalideView tiles(launch.tiles, DataType::kInt32, {{tiles_of_map.end - tiles_of_map.begin, 1}}, tiles_of_map.begin);
    const int64_t lanes = LanesOf(work.copied.count);
    HalideView vectors(launch.vectors, kernel.type, {{lanes, 1}, {pixels, lanes}}, copy * ElementsOfCopy(x, launch.tasks));
    const uint8_t bits = planes.buffer()->type.bits;
    planes.buffer()->type = vectors.buffer()->type = halide_type_t(halide_type_uint, bits);
    const ChannelVectorsFunction transpose = bits == 16   ? steps.channel_vectors_16
                                             : bits == 32 ? steps.channel_vectors_32
                                                          : steps.channel_vectors_64;
    return transpose(&context, planes.buffer(), tiles.buffer(), vectors.buffer());
  }

  int RunRois(CallContext& context, const ReadableMap& map, const Positions& rois, const ChannelRange& range) const noexcept {
    for (int64_t position = rois.begin; position < rois.end;) {
      RoiRun run = {launch.order[position], 0};
      while (position < rois.end && launch.order[position] == run.first + run.count) ++position, ++run.count;
      if (const int error = CallKernel(context, map, run, range); error != 0) return error;
    }
    return 0;
  }

  int CallKernel(CallContext& context, const ReadableMap& map, const RoiRun& run, const ChannelRange& range) const noexcept {
    const TensorView &x = launch.x, &y = launch.y, &argmax = launch.argmax;
    const int64_t pooled_h = y.shape[2], pooled_w = y.shape[3], bins = pooled_h * pooled_w;
    HalideView readable(map.data, kernel.type,
                        {{map.channels, map.channel_stride}, {x.shape[3], map.w_stride}, {x.shape[2], map.h_stride}},
                        map.offset);
    const auto edges = [&](const int32_t* table, int64_t of_axis) {
      return HalideView(table, DataType::kInt32, {{of_axis, 1}, {2, of_axis}, {run.count, StrideOf(run.count, 2 * of_axis)}},
                        run.first * 2 * of_axis);
    };
    HalideView columns = edges(launch.columns, pooled_w), rows = edges(launch.rows, pooled_h);
    const auto pooled = [&](const TensorView& tensor, DataType type) {
      return HalideView(tensor.data, type,
                        {{bins, 1}, {range.count, StrideOf(range.count, tensor.strides[1])}, {run.count, tensor.strides[0]}},
                        run.first * tensor.strides[0] + range.begin * tensor.strides[1]);
    };
    HalideView values = pooled(y, kernel.type), pixels = pooled(argmax, DataType::kInt32);
    return kernel.roi_pool(&context, readable.buffer(), columns.buffer(), rows.buffer(), values.buffer(), pixels.buffer());
  }
};

}  // namespace

bool HasAdjacentRows(const TensorLayout& x) noexcept {
  return x.shape[2] <= 1 || x.shape[3] <= 1 || x.strides[2] == x.shape[3] * x.strides[3];
}

int64_t CopiedElements(const Kernel& kernel, const TensorLayout& x, const PoolTasks& tasks, const CallSizes& sizes) noexcept {
  if (!kernel.reads_channel_vectors || (HasAdjacentChannels(x) && x.shape[1] % kChannelVector == 0)) return 0;
  const int64_t blocks = std::max<int64_t>(sizes.images, 1) * tasks.Blocks(sizes.channels);
  return (tasks.shares_copies() ? blocks : std::min<int64_t>(tasks.threads, blocks)) * PoolCall::ElementsOfCopy(x, tasks);
}

Status LaunchPoolEdges(const char* function, Isa isa, const EdgesLaunch& launch) noexcept {
  CallContext context(1);
  HalideView corners(launch.corners, DataType::kFloat32, {{2, 2}, {launch.rois, 4}});
  HalideView edges(launch.edges, DataType::kInt32,
                   {{launch.bins, 1}, {2, launch.bins}, {launch.rois, StrideOf(launch.rois, 2 * launch.bins)}});
  const int error = PoolStepsOf(isa).edges(&context, corners.buffer(), launch.spatial_scale, launch.rounds_corners,
                                           static_cast<int32_t>(launch.size), edges.buffer());
  return StatusOf(function, "roi_pool_edges", error, context);
}

Status LaunchRoiPool(const char* function, const Kernel& kernel, const RoiPoolLaunch& launch) noexcept {
  CallContext context(launch.tasks.threads);
  const PoolCall call = {kernel, PoolStepsOf(kernel.isa), launch};
  const int32_t count = launch.tasks.Count(launch.sizes);
  if (launch.tasks.shares_copies() && launch.vectors != nullptr) {
    ROIPOOL_RETURN_IF_ERROR(
        StatusOf(function, "channel_vectors", RunTasks(context, count, PoolCall::CopyPart, &call), context));
  }
  return StatusOf(function, kernel.name, RunTasks(context, count, PoolCall::RunTask, &call), context);
}

}  // namespace roipool::internal
