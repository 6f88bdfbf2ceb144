#include "validate.h"

#include <cmath>
#include <span>

#include "checked_math.h"
#include "make_status.h"
#include "roipool/kernels.h"
#include "tensor_layout.h"
#include "validate_tensor.h"

namespace roipool::internal {
namespace {

using Code = StatusCode;

long long Print(int64_t value) { return static_cast<long long>(value); }

Status ValidateRois(const char* function, const TensorLayout& rois, const char* other_name,
                    const TensorLayout& other) noexcept {
  ROIPOOL_RETURN_IF_ERROR(ValidateFloatType(function, "rois", rois.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, "rois", rois, 2, false));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameExtent(function, "rois", rois, 0, other_name, other, 0));
  ROIPOOL_CHECK(rois.shape[1] == 5, Code::kInvalidArgument,
                "%s: rois.shape[1] is %lld, must be 5: the image index and four coordinates", function, Print(rois.shape[1]));
  return {};
}

Status ValidatePooledSize(const char* function, const char* name, const TensorLayout& layout) noexcept {
  for (int32_t d = 2; d < 4; ++d) {
    ROIPOOL_CHECK(layout.shape[d] >= 1, Code::kInvalidArgument, "%s: %s.shape[%d] is %lld, pooled_%s must be at least 1",
                  function, name, d, Print(layout.shape[d]), d == 2 ? "h" : "w");
  }
  return {};
}

// S6: the largest number of pixels whose indices an argmax of this type holds exactly.
int64_t LargestPixelCount(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat16:
      return 2048;
    case DataType::kBFloat16:
      return 256;
    case DataType::kFloat32:
      return INT64_C(1) << 24;
    default:
      return kMaxElements;
  }
}

Status ValidateArgmaxType(const char* function, DataType type, const char* gradient_name, DataType gradient_type) noexcept {
  ROIPOOL_CHECK(type == DataType::kInt32 || type == DataType::kInt64 || type == gradient_type, Code::kInvalidArgument,
                "%s: argmax.type is %s (%d), must be i32, i64 or %s.type (%s)", function, DataTypeName(type),
                static_cast<int>(type), gradient_name, DataTypeName(gradient_type));
  return {};
}

Status ValidateArgmaxRange(const char* function, DataType type, int64_t pixels) noexcept {
  ROIPOOL_CHECK(pixels <= LargestPixelCount(type), Code::kInvalidArgument,
                "%s: argmax.type is %s, which holds every whole number up to %lld, but H*W is %lld; use i32", function,
                DataTypeName(type), Print(LargestPixelCount(type)), Print(pixels));
  return {};
}

Status ValidateScale(const char* function, const char* name, float scale) noexcept {
  ROIPOOL_CHECK(std::isfinite(scale) && scale > 0, Code::kInvalidArgument, "%s: %s is %g, must be finite and above 0", function,
                name, static_cast<double>(scale));
  return {};
}

// Empty tensors may have absurd extents, which S7 does not meet: products are formed only here, checked.
Status ValidateDims(const char* function, const char* map_name, const char* bins_name, const Dims& dims) noexcept {
  int64_t pixels = 0, bins = 0;
  ROIPOOL_CHECK(CheckedMultiply(dims.height, dims.width, &pixels) && pixels <= kMaxElements, Code::kSizeOverflow,
                "%s: %s has planes of %lld x %lld pixels, must be at most 2147483647", function, map_name, Print(dims.height),
                Print(dims.width));
  ROIPOOL_CHECK(CheckedMultiply(dims.pooled_h, dims.pooled_w, &bins) && bins <= kMaxElements, Code::kSizeOverflow,
                "%s: %s has %lld x %lld bins, must be at most 2147483647", function, bins_name, Print(dims.pooled_h),
                Print(dims.pooled_w));
  ROIPOOL_CHECK(dims.rois < kMaxElements && dims.channels < kMaxElements && dims.images < kMaxElements, Code::kSizeOverflow,
                "%s: there are %lld rois, %lld channels and %lld images, each must be below 2147483647", function,
                Print(dims.rois), Print(dims.channels), Print(dims.images));
  return {};
}

// As far as pointers are set.
Status ValidateGivenData(const char* function, const Options& options, std::span<const NamedTensor> tensors) noexcept {
  const bool has_handles = options.device == Device::kOpenCl && options.device_context != nullptr;
  return (has_handles ? ValidateHandles : ValidateData)(function, tensors, /*must_be_set=*/false);
}

}  // namespace

Status ValidateOptions(const char* function, const Options& options) noexcept {
  ROIPOOL_CHECK(options.threads >= 0 && options.threads <= kMaxThreads, Code::kInvalidArgument,
                "%s: options.threads is %d, must be in [0, %d]", function, options.threads, kMaxThreads);
  ROIPOOL_CHECK(options.device >= Device::kCpu && options.device <= Device::kOpenCl, Code::kInvalidArgument,
                "%s: options.device is %d, must be one of Device, 0 to 2", function, static_cast<int>(options.device));
  ROIPOOL_CHECK(options.accumulation == Accumulation::kFloat || options.accumulation == Accumulation::kFixedPoint,
                Code::kInvalidArgument, "%s: options.accumulation is %d, must be one of Accumulation, 0 or 1", function,
                static_cast<int>(options.accumulation));
  return {};
}

Status ValidateRoiPoolGrad(const Names& names, const RoiPoolGradArgs& args, const Options& options, Dims* dims) noexcept {
  const char* function = names.function;
  const TensorLayout &grad_output = args.grad_output, &argmax = args.argmax, &grad_input = args.grad_input;
  ROIPOOL_RETURN_IF_ERROR(ValidateOptions(function, options));
  ROIPOOL_RETURN_IF_ERROR(ValidateFloatType(function, names.grad_output, grad_output.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameType(function, names.grad_input, grad_input.type, names.grad_output, grad_output.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateArgmaxType(function, argmax.type, names.grad_output, grad_output.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, names.grad_output, grad_output, 4, false));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, "argmax", argmax, 4, false));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, names.grad_input, grad_input, 4, true));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameShape(function, "argmax", argmax, names.grad_output, grad_output));
  ROIPOOL_RETURN_IF_ERROR(ValidateRois(function, args.rois, names.grad_output, grad_output));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameExtent(function, names.grad_input, grad_input, 1, names.grad_output, grad_output, 1));
  ROIPOOL_RETURN_IF_ERROR(ValidatePooledSize(function, names.grad_output, grad_output));
  *dims = {.rois = grad_output.shape[0],
           .channels = grad_output.shape[1],
           .pooled_h = grad_output.shape[2],
           .pooled_w = grad_output.shape[3],
           .images = grad_input.shape[0],
           .height = grad_input.shape[2],
           .width = grad_input.shape[3]};
  ROIPOOL_RETURN_IF_ERROR(ValidateDims(function, names.grad_input, names.grad_output, *dims));
  ROIPOOL_CHECK(dims->pixels() > 0 || dims->rois == 0 || dims->channels == 0, Code::kInvalidArgument,
                "%s: %s.shape is (%lld, %lld, %lld, %lld), must have pixels (H*W >= 1), since argmax is not empty", function,
                names.grad_input, Print(dims->images), Print(dims->channels), Print(dims->height), Print(dims->width));
  ROIPOOL_RETURN_IF_ERROR(ValidateArgmaxRange(function, argmax.type, dims->pixels()));
  const NamedTensor tensors[] = {{names.grad_output, &grad_output, args.grad_output.data, false},
                                 {"argmax", &argmax, args.argmax.data, false},
                                 {"rois", &args.rois, args.rois.data, false},
                                 {names.grad_input, &grad_input, args.grad_input.data, true}};
  return ValidateGivenData(function, options, tensors);
}

Status ValidateRoiPool(const char* function, const RoiPoolArgs& args, const Options& options, Dims* dims) noexcept {
  const TensorLayout &x = args.x, &y = args.y, &argmax = args.argmax;
  ROIPOOL_RETURN_IF_ERROR(ValidateOptions(function, options));
  ROIPOOL_CHECK(options.geometry == Geometry::kAclnn || options.geometry == Geometry::kTorchvision, Code::kInvalidArgument,
                "%s: options.geometry is %d, must be one of Geometry, 0 or 1", function, static_cast<int>(options.geometry));
  ROIPOOL_CHECK(options.roi_layout == RoiLayout::kX1Y1X2Y2 || options.roi_layout == RoiLayout::kX1X2Y1Y2,
                Code::kInvalidArgument, "%s: options.roi_layout is %d, must be one of RoiLayout, 0 or 1", function,
                static_cast<int>(options.roi_layout));
  ROIPOOL_RETURN_IF_ERROR(ValidateScale(function, "spatial_scale_h", args.spatial_scale_h));
  ROIPOOL_RETURN_IF_ERROR(ValidateScale(function, "spatial_scale_w", args.spatial_scale_w));
  ROIPOOL_RETURN_IF_ERROR(ValidateFloatType(function, "x", x.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameType(function, "y", y.type, "x", x.type));
  ROIPOOL_CHECK(argmax.type == DataType::kInt32, Code::kInvalidArgument, "%s: argmax.type is %s (%d), must be i32", function,
                DataTypeName(argmax.type), static_cast<int>(argmax.type));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, "x", x, 4, false));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, "y", y, 4, true));
  ROIPOOL_RETURN_IF_ERROR(ValidateLayout(function, "argmax", argmax, 4, true));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameShape(function, "argmax", argmax, "y", y));
  ROIPOOL_RETURN_IF_ERROR(ValidateRois(function, args.rois, "y", y));
  ROIPOOL_RETURN_IF_ERROR(ValidateSameExtent(function, "y", y, 1, "x", x, 1));
  ROIPOOL_RETURN_IF_ERROR(ValidatePooledSize(function, "y", y));
  *dims = {.rois = y.shape[0],
           .channels = y.shape[1],
           .pooled_h = y.shape[2],
           .pooled_w = y.shape[3],
           .images = x.shape[0],
           .height = x.shape[2],
           .width = x.shape[3]};
  ROIPOOL_RETURN_IF_ERROR(ValidateDims(function, "x", "y", *dims));
  const NamedTensor tensors[] = {{"x", &x, args.x.data, false},
                                 {"rois", &args.rois, args.rois.data, false},
                                 {"y", &y, args.y.data, true},
                                 {"argmax", &argmax, args.argmax.data, true}};
  return ValidateGivenData(function, options, tensors);
}

}  // namespace roipool::internal
