#include "gpu_grad_launch.h"

#include <algorithm>

#include "launch.h"
#include "make_status.h"

namespace roipool::internal {
namespace {

// What a thread takes at once of what lies side by side.
constexpr int64_t kLanes = 4;

// Kernels take 16-bit numbers as bits; see GpuType() of the generators.
halide_type_t KernelType(DataType type) noexcept { return BitsOf(type) == 16 ? HalideBits(16) : HalideType(type); }

int64_t ElementsOf(const TensorLayout& layout) noexcept {
  return layout.shape[0] * layout.shape[1] * layout.shape[2] * layout.shape[3];
}

// As vectors must be. OpenCL's memory objects are.
bool IsAligned(const DeviceMemory& memory, Device device) noexcept {
  const uint64_t start = device == Device::kCuda ? memory.handle : 0;
  return (start + static_cast<uint64_t>(memory.offset)) % 16 == 0;
}

/// One call's launches, each given the views that the steps share.
class GradSteps : GpuCall {
 public:
  GradSteps(const char* function, const GpuKernel& kernel, CallContext& context, const GpuGradLaunch& launch) noexcept
      : GpuCall(function, kernel.device, context), kernel_(kernel), launch_(launch), steps_(*StepsOf(kernel.device)) {}

  Status Run() noexcept {
    if (launch_.rois.layout.shape[0] == 0) return RunWithoutRois();
    const bool converts = launch_.argmax.layout.type != DataType::kInt32;
    ROIPOOL_RETURN_IF_ERROR(ReadImages());
    if (converts) ROIPOOL_RETURN_IF_ERROR(ConvertArgmax());
    DeviceTensor entries = launch_.argmax;
    if (converts) {
      const int64_t* shape = entries.layout.shape;
      entries = {launch_.converted_argmax,
                 TensorLayout::Contiguous(DataType::kInt32, {shape[0], shape[1], shape[2], shape[3]})};
    }
    // In floats the scatter itself looks at what it adds.
    const bool is_fixed_point = kernel_.accumulation == Accumulation::kFixedPoint;
    ROIPOOL_RETURN_IF_ERROR(is_fixed_point ? Inspect(entries) : ZeroState());
    if (!kernel_.writes_sums) ROIPOOL_RETURN_IF_ERROR(ZeroSums());
    if (is_fixed_point) ROIPOOL_RETURN_IF_ERROR(ZeroFloatSums());
    ROIPOOL_RETURN_IF_ERROR(Scatter(entries));
    return Finish();
  }

 private:
  // A state of 0 says that all is finite: nobody looks at the sums in floats.
  Status RunWithoutRois() noexcept {
    ROIPOOL_RETURN_IF_ERROR(ZeroState());
    ROIPOOL_RETURN_IF_ERROR(ZeroSums());
    return Finish();
  }

  Status Finish() noexcept {
    if (launch_.sums_in_place) return {};
    const TensorLayout& shape = launch_.grad_input.layout;
    const int64_t count = ElementsOf(shape);
    TensorLayout output = shape;
    TensorLayout dense = TensorLayout::Contiguous(shape.type, {shape.shape[0], shape.shape[1], shape.shape[2], shape.shape[3]});
    // The kernel takes rows of as many elements as a thread takes faster than others.
    const bool is_aligned = IsAligned(launch_.grad_input.memory, kernel_.device) && IsContiguous(shape) && count % kLanes == 0;
    if (is_aligned) output = dense = TensorLayout::Contiguous(shape.type, {1, 1, count / kLanes, kLanes});
    // In floats nobody looks at the second one.
    const bool has_float_sum = kernel_.accumulation == Accumulation::kFixedPoint;
    DeviceView sum = View4({launch_.sum, dense}, KernelType(SumType(kernel_.type, kernel_.accumulation)));
    DeviceView float_sum = View4({has_float_sum ? launch_.float_sum : launch_.sum, dense},
                                 KernelType(SumType(kernel_.type, Accumulation::kFloat)));
    DeviceView state = State(), grad_input = View4({launch_.grad_input.memory, output}, HalideBits(BitsOf(kernel_.type)));
    const GpuFinishFunction finish = FinishOf(kernel_.device, kernel_.type, kernel_.accumulation);
    return StatusOf("gpu_finish", finish(context(), sum.buffer(), float_sum.buffer(), state.buffer(), launch_.addends_log2,
                                         is_aligned, grad_input.buffer()));
  }

  Status ReadImages() noexcept {
    DeviceView rois = RoiUnits(launch_.rois), images = Images();
    return StatusOf("gpu_images", steps_.images(context(), rois.buffer(), ExponentBits(launch_.rois.layout.type),
                                                static_cast<int32_t>(launch_.grad_input.layout.shape[0]), images.buffer()));
  }

  Status ConvertArgmax() noexcept {
    const TensorLayout& argmax = launch_.argmax.layout;
    const int64_t units = BitsOf(argmax.type) / 16;
    const int64_t channels = argmax.shape[1], height = argmax.shape[2], width = argmax.shape[3];
    DeviceView from = View(launch_.argmax.memory, HalideBits(16),
                           {{units, 1},
                            {width, argmax.strides[3] * units},
                            {height, argmax.strides[2] * units},
                            {channels, argmax.strides[1] * units},
                            {argmax.shape[0], argmax.strides[0] * units}});
    DeviceView to =
        View(launch_.converted_argmax, KernelType(DataType::kInt32),
             {{width, 1}, {height, width}, {channels, width * height}, {argmax.shape[0], width * height * channels}});
    return StatusOf("gpu_argmax", steps_.argmax(context(), from.buffer(), ExponentBits(argmax.type), to.buffer()));
  }

  Status Inspect(const DeviceTensor& argmax) noexcept {
    const int64_t bits = BitsOf(kernel_.type), count = ElementsOf(argmax.layout);
    const GpuInspectFunction inspect = bits == 16 ? steps_.inspect_16 : bits == 32 ? steps_.inspect_32 : steps_.inspect_64;
    TensorLayout gradient_layout = launch_.grad_output.layout, argmax_layout = argmax.layout;
    // The kernel finds an entry of the outermost dimension without divisions.
    if (IsContiguous(gradient_layout) && IsContiguous(argmax_layout)) {
      for (TensorLayout* layout : {&gradient_layout, &argmax_layout}) {
        *layout = TensorLayout::Contiguous(layout->type, {count, 1, 1, 1});
      }
    }
    DeviceView gradients = View4({launch_.grad_output.memory, gradient_layout}, HalideBits(bits));
    DeviceView entries = View4({argmax.memory, argmax_layout}, KernelType(DataType::kInt32));
    DeviceView parts = View(launch_.inspection_parts, HalideBits(32), {{InspectionParts(count), 1}});
    DeviceView images = Images(), state = State();
    ROIPOOL_RETURN_IF_ERROR(StatusOf("gpu_inspect", inspect(context(), gradients.buffer(), entries.buffer(),
                                                            static_cast<int32_t>(pixels()), parts.buffer())));
    return StatusOf("gpu_verdict", steps_.verdict(context(), parts.buffer(), images.buffer(), state.buffer()));
  }

  int64_t WordsOf(DataType sum_type) const noexcept { return ElementsOf(launch_.grad_input.layout) * BitsOf(sum_type) / 32; }

  Status ZeroState() noexcept { return Zero(steps_.zero, launch_.state, 2, 1); }

  Status ZeroSums() noexcept {
    const int64_t words = WordsOf(SumType(kernel_.type, kernel_.accumulation));
    if (!launch_.sums_in_place) return Zero(steps_.zero, launch_.sum, kLanes, (words + kLanes - 1) / kLanes);
    const DeviceMemory& memory = launch_.grad_input.memory;
    // At least pairs where it can be, as float64 has more words than are counted in 31 bits.
    const int64_t lanes = words % kLanes == 0 && IsAligned(memory, kernel_.device) ? kLanes : words % 2 == 0 ? 2 : 1;
    return Zero(steps_.zero, memory, lanes, words / lanes);
  }

  Status ZeroFloatSums() noexcept {
    const int64_t words = WordsOf(SumType(kernel_.type, Accumulation::kFloat));
    return Zero(steps_.zero_if_not_finite, launch_.float_sum, kLanes, (words + kLanes - 1) / kLanes);
  }

  Status Zero(GpuZeroFunction zero, const DeviceMemory& memory, int64_t lanes, int64_t groups) noexcept {
    const int64_t bits = BitsOf(kernel_.type), exponent_bits = ExponentBits(kernel_.type);
    const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << (std::min<int64_t>(bits, 32) - 1 - exponent_bits);
    DeviceView state = State(), words = View(memory, HalideBits(32), {{lanes, 1}, {groups, lanes}});
    return StatusOf("gpu_zero", zero(context(), state.buffer(), infinity, words.buffer()));
  }

  Status Scatter(const DeviceTensor& argmax) noexcept {
    const BlockTile tile = BlockTileOf(launch_.grad_output.layout);
    DeviceView gradients = View4(launch_.grad_output, KernelType(kernel_.type));
    DeviceView entries = View4(argmax, KernelType(DataType::kInt32));
    DeviceView images = Images(), state = State(), sum = Sums(), float_sum = FloatSums();
    DeviceView found_bad = View(launch_.state, HalideBits(64), {{launch_.grad_output.layout.shape[1], 0}});
    DeviceView& second = kernel_.accumulation == Accumulation::kFixedPoint ? float_sum : found_bad;
    return StatusOf(kernel_.name,
                    kernel_.scatter(context(), gradients.buffer(), entries.buffer(), images.buffer(), state.buffer(),
                                    launch_.addends_log2, tile.w, tile.h, tile.channels, sum.buffer(), second.buffer()));
  }

  int64_t pixels() const noexcept { return launch_.grad_input.layout.shape[2] * launch_.grad_input.layout.shape[3]; }

  DeviceView Images() noexcept {
    return View(launch_.images, KernelType(DataType::kInt32), {{launch_.rois.layout.shape[0], 1}});
  }
  DeviceView State() noexcept { return View(launch_.state, HalideBits(64), {{1, 1}}); }

  DeviceView Planes(const DeviceMemory& memory, DataType type) noexcept {
    const int64_t* shape = launch_.grad_input.layout.shape;
    return View(memory, KernelType(type), {{pixels(), 1}, {shape[1], pixels()}, {shape[0], pixels() * shape[1]}});
  }

  DeviceView Sums() noexcept {
    return Planes(launch_.sums_in_place ? launch_.grad_input.memory : launch_.sum, SumType(kernel_.type, kernel_.accumulation));
  }

  // In floats, `sum` stands for it, which nobody touches then.
  DeviceView FloatSums() noexcept {
    const bool is_own = kernel_.accumulation == Accumulation::kFixedPoint;
    const DeviceMemory& memory = is_own ? launch_.float_sum : launch_.sums_in_place ? launch_.grad_input.memory : launch_.sum;
    return Planes(memory, SumType(kernel_.type, Accumulation::kFloat));
  }

  const GpuKernel& kernel_;
  const GpuGradLaunch& launch_;
  const GpuSteps& steps_;
};

}  // namespace

int64_t InspectionParts(int64_t entries) noexcept {
  constexpr int64_t kMaxParts = 1024;  // More threads than GPUs hold at once.
  return std::clamp<int64_t>((entries + kBlockThreads - 1) / kBlockThreads, 1, kMaxParts);
}

Status LaunchRoiPoolGradOnGpu(const char* function, const GpuKernel& kernel, CallContext& context,
                              const GpuGradLaunch& launch) noexcept {
  return GradSteps(function, kernel, context, launch).Run();
}

}  // namespace roipool::internal
