#include "pool_launch.h"

#include <algorithm>

#include "call_context.h"
#include "halide_view.h"
#include "launch.h"

namespace roipool::internal {
namespace {

// A stride that nobody steps over may be too large for Halide.
int64_t StrideOf(int64_t extent, int64_t stride) noexcept { return extent > 1 ? stride : 0; }

bool HasAdjacentChannels(const TensorLayout& x) noexcept { return x.strides[1] == 1; }

struct ChannelRange {
  int64_t begin, count;
};

// Rois that follow each other.
struct Run {
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

  static int RunTask(CallContext& context, int32_t index, int32_t worker, const void* closure) noexcept {
    const auto& call = *static_cast<const PoolCall*>(closure);
    const PoolTasks& tasks = call.launch.tasks;
    const int64_t channels = call.launch.x.shape[1];
    const int32_t blocks = tasks.Blocks(channels);
    const int64_t image = index / blocks / tasks.parts;
    const auto part = static_cast<int32_t>(index / blocks % tasks.parts);
    const int64_t begin = static_cast<int64_t>(index % blocks) * tasks.channel_block;
    return call.RunBlock(context, image, part, {begin, std::min<int64_t>(tasks.channel_block, channels - begin)}, worker);
  }

  // Channels are read where they are as far as they fill vectors there.
  int RunBlock(CallContext& context, int64_t image, int32_t part, ChannelRange range, int32_t worker) const noexcept {
    const TensorView& x = launch.x;
    const Positions rois = PartOf({launch.begin[image], launch.begin[image + 1]}, part, launch.tasks.parts);
    if (rois.begin == rois.end) return 0;
    ChannelRange in_place = range;
    if (kernel.reads_channel_vectors) {
      in_place.count = HasAdjacentChannels(x) ? range.count / kChannelVector * kChannelVector : 0;
    }
    if (in_place.count > 0) {
      const int64_t offset = image * x.strides[0] + in_place.begin * x.strides[1];
      const ReadableMap map = {x.data, offset, in_place.count, x.strides[1], x.strides[3], x.strides[2]};
      if (const int error = RunRois(context, map, rois, in_place); error != 0) return error;
    }
    const ChannelRange copied = {range.begin + in_place.count, range.count - in_place.count};
    if (copied.count == 0) return 0;

    const int64_t lanes = LanesOf(copied.count);
    const int64_t offset = worker * VectorsPerWorker(kernel, x, launch.tasks);
    if (const int error = CopyChannels(context, image, part, copied, offset); error != 0) return error;
    return RunRois(context, {launch.vectors, offset, lanes, 1, lanes, lanes * x.shape[3]}, rois, copied);
  }

  static int64_t LanesOf(int64_t channels) noexcept {
    return (channels + kChannelVector - 1) / kChannelVector * kChannelVector;
  }

  int CopyChannels(CallContext& context, int64_t image, int32_t part, const ChannelRange& range,
                   int64_t offset) const noexcept {
    const TensorView& x = launch.x;
    const int64_t pixels = x.shape[2] * x.shape[3];
    const bool is_one_row = HasAdjacentRows(x);
    HalideView planes(x.data, kernel.type,
                      {{is_one_row ? pixels : x.shape[3], x.shape[3] > 1 ? x.strides[3] : x.strides[2]},
                       {is_one_row ? 1 : x.shape[2], is_one_row ? 0 : x.strides[2]},
                       {range.count, x.strides[1]}},
                      image * x.strides[0] + range.begin * x.strides[1]);
    const int32_t* tiles_begin = launch.tiles_begin + image * launch.tasks.parts + part;
    if (tiles_begin[0] == tiles_begin[1]) return 0;
    HalideView tiles(launch.tiles, DataType::kInt32, {{tiles_begin[1] - tiles_begin[0], 1}}, tiles_begin[0]);
    const int64_t lanes = LanesOf(range.count);
    HalideView vectors(launch.vectors, kernel.type, {{lanes, 1}, {pixels, lanes}}, offset);
    const uint8_t bits = planes.buffer()->type.bits;
    planes.buffer()->type = vectors.buffer()->type = halide_type_t(halide_type_uint, bits);
    const ChannelVectorsFunction copy = bits == 16   ? steps.channel_vectors_16
                                        : bits == 32 ? steps.channel_vectors_32
                                                     : steps.channel_vectors_64;
    return copy(&context, planes.buffer(), tiles.buffer(), vectors.buffer());
  }

  int RunRois(CallContext& context, const ReadableMap& map, const Positions& rois, const ChannelRange& range) const noexcept {
    for (int64_t position = rois.begin; position < rois.end;) {
      Run run = {launch.order[position], 0};
      while (position < rois.end && launch.order[position] == run.first + run.count) ++position, ++run.count;
      if (const int error = CallKernel(context, map, run, range); error != 0) return error;
    }
    return 0;
  }

  int CallKernel(CallContext& context, const ReadableMap& map, const Run& run, const ChannelRange& range) const noexcept {
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

int64_t VectorsPerWorker(const Kernel& kernel, const TensorLayout& x, const PoolTasks& tasks) noexcept {
  if (!kernel.reads_channel_vectors || (HasAdjacentChannels(x) && x.shape[1] % kChannelVector == 0)) return 0;
  const int64_t most = HasAdjacentChannels(x) ? kChannelVector : PoolCall::LanesOf(x.shape[1]);
  // Even a map without pixels needs a place: a kernel takes a null pointer for a mistake.
  return std::min<int64_t>(most, tasks.channel_block) * std::max<int64_t>(x.shape[2] * x.shape[3], 1);
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
  return StatusOf(function, kernel.name, RunTasks(context, launch.tasks.Count(launch.sizes), PoolCall::RunTask, &call),
                  context);
}

}  // namespace roipool::internal
