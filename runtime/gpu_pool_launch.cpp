#include "gpu_pool_launch.h"

#include "make_status.h"

namespace roipool::internal {
namespace {

/// One call's launches, each given the views that the steps share.
class PoolCalls : GpuCall {
 public:
  PoolCalls(const char* function, const GpuKernel& kernel, CallContext& context, const GpuPoolLaunch& launch) noexcept
      : GpuCall(function, kernel.device, context), kernel_(kernel), launch_(launch), steps_(*GpuPoolStepsOf(kernel.device)) {}

  Status Run() noexcept {
    ROIPOOL_RETURN_IF_ERROR(ReadImages());
    ROIPOOL_RETURN_IF_ERROR(FindEdges(launch_.columns, bins().shape[3], launch_.x.layout.shape[3]));
    ROIPOOL_RETURN_IF_ERROR(FindEdges(launch_.rows, bins().shape[2], launch_.x.layout.shape[2]));
    return Pool();
  }

 private:
  // The verdict asks for the largest word of some parts, and whether an image is out of range. Images themselves do for both:
  // as words those in range lack the bits that say so.
  Status ReadImages() noexcept {
    DeviceView rois = RoiUnits(launch_.rois), images = Images();
    ROIPOOL_RETURN_IF_ERROR(StatusOf("gpu_images_of_boxes",
                                     steps_.images_of_boxes(context(), rois.buffer(), ExponentBits(launch_.rois.layout.type),
                                                            static_cast<int32_t>(launch_.x.layout.shape[0]), images.buffer())));
    DeviceView parts = View(launch_.images, HalideBits(32), {{roi_count(), 1}});
    DeviceView state = View(launch_.state, HalideBits(64), {{1, 1}});
    return StatusOf("gpu_verdict", steps_.verdict(context(), parts.buffer(), images.buffer(), state.buffer()));
  }

  Status FindEdges(const GpuPoolAxis& axis, int64_t bins_of_axis, int64_t size) noexcept {
    DeviceView rois = RoiUnits(launch_.rois), images = Images(), edges = Edges(axis, bins_of_axis);
    return StatusOf("gpu_pool_edges",
                    steps_.edges(context(), rois.buffer(), ExponentBits(launch_.rois.layout.type), axis.begin_column,
                                 axis.end_column, images.buffer(), static_cast<double>(axis.spatial_scale),
                                 launch_.rounds_corners, static_cast<int32_t>(size), edges.buffer()));
  }

  Status Pool() noexcept {
    const BlockTile tile = BlockTileOf(bins());
    const halide_type_t type = HalideBits(BitsOf(kernel_.type));
    DeviceView x = View4(launch_.x, type), y = View4(launch_.y, type);
    DeviceView argmax = View4(launch_.argmax, HalideType(DataType::kInt32));
    DeviceView columns = Edges(launch_.columns, bins().shape[3]), rows = Edges(launch_.rows, bins().shape[2]);
    DeviceView images = Images();
    return StatusOf(kernel_.name, kernel_.pool(context(), x.buffer(), columns.buffer(), rows.buffer(), images.buffer(), tile.w,
                                               tile.h, tile.channels, y.buffer(), argmax.buffer()));
  }

  const TensorLayout& bins() const noexcept { return launch_.y.layout; }
  int64_t roi_count() const noexcept { return bins().shape[0]; }

  DeviceView Images() noexcept { return View(launch_.images, HalideType(DataType::kInt32), {{roi_count(), 1}}); }

  DeviceView Edges(const GpuPoolAxis& axis, int64_t bins_of_axis) noexcept {
    return View(axis.edges, HalideType(DataType::kInt32),
                {{bins_of_axis, 1}, {2, bins_of_axis}, {roi_count(), 2 * bins_of_axis}});
  }

  const GpuKernel& kernel_;
  const GpuPoolLaunch& launch_;
  const GpuPoolSteps& steps_;
};

}  // namespace

Status LaunchRoiPoolOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                          const GpuPoolLaunch& launch) noexcept {
  return PoolCalls(function, kernel, context, launch).Run();
}

}  // namespace roipool::internal
