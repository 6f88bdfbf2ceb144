#include "index_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "element_reader.h"
#include "make_status.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

using Code = StatusCode;

long long Print(int64_t value) { return static_cast<long long>(value); }

const std::byte* ElementOf(const TensorView& tensor, int64_t row, int64_t column) noexcept {
  return static_cast<const std::byte*>(tensor.data) +
         (row * tensor.strides[0] + column * tensor.strides[1]) * ElementSize(tensor.type);
}

// One entry of argmax as a number that is exact wherever it matters: every int64 outside double's whole numbers is out of
// range.
bool IsPixelOrEmpty(double entry, int64_t pixels) noexcept {
  return entry >= -1 && entry < static_cast<double>(pixels) && entry == std::floor(entry);
}

Status BadArgmax(const char* function, const int64_t (&at)[4], double entry, int64_t pixels) noexcept {
  return MakeStatus(Code::kOutOfRange, "%s: argmax[%lld, %lld, %lld, %lld] is %.17g, must be -1 or a whole number in [0, %lld)",
                    function, Print(at[0]), Print(at[1]), Print(at[2]), Print(at[3]), entry, Print(pixels));
}

// Visits the entries of argmax in row-major order until visit(position, entry) returns false.
template <typename Visit>
void ForEachEntry(const TensorView& argmax, const Visit& visit) noexcept {
  const int64_t size = ElementSize(argmax.type);
  int64_t at[4] = {};
  for (at[0] = 0; at[0] < argmax.shape[0]; ++at[0]) {
    for (at[1] = 0; at[1] < argmax.shape[1]; ++at[1]) {
      for (at[2] = 0; at[2] < argmax.shape[2]; ++at[2]) {
        const std::byte* row = static_cast<const std::byte*>(argmax.data) +
                               (at[0] * argmax.strides[0] + at[1] * argmax.strides[1] + at[2] * argmax.strides[2]) * size;
        for (at[3] = 0; at[3] < argmax.shape[3]; ++at[3]) {
          if (!visit(at, LoadNumber(row + at[3] * argmax.strides[3] * size, argmax.type))) return;
        }
      }
    }
  }
}

}  // namespace

Status ReadImages(const char* function, const TensorView& rois, int64_t image_count, int32_t* images) noexcept {
  for (int64_t r = 0; r < rois.shape[0]; ++r) {
    const double image = LoadNumber(ElementOf(rois, r, 0), rois.type);
    ROIPOOL_CHECK(image >= 0 && image < static_cast<double>(image_count) && image == std::floor(image), Code::kOutOfRange,
                  "%s: rois[%lld, 0] is %.9g, the image index must be a whole number in [0, %lld)", function, Print(r), image,
                  Print(image_count));
    images[r] = static_cast<int32_t>(image);
  }
  return {};
}

void SortByImage(const int32_t* images, int64_t rois, int64_t image_count, int32_t* order, int32_t* begin) noexcept {
  std::fill(begin, begin + image_count + 1, 0);
  for (int64_t r = 0; r < rois; ++r) ++begin[images[r] + 1];
  for (int64_t n = 0; n < image_count; ++n) begin[n + 1] += begin[n];
  for (int64_t r = 0; r < rois; ++r) order[begin[images[r]]++] = static_cast<int32_t>(r);
  // Each begin[n] has moved to where image n + 1 begins.
  for (int64_t n = image_count; n > 0; --n) begin[n] = begin[n - 1];
  begin[0] = 0;
}

Status ReadBoxes(const char* function, const TensorView& rois, RoiLayout roi_layout, float* boxes) noexcept {
  constexpr int kColumns[2][4] = {{1, 2, 3, 4}, {1, 3, 2, 4}};  // of x1, y1, x2, y2
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (int64_t r = 0; r < rois.shape[0]; ++r) {
    for (int corner = 0; corner < 4; ++corner) {
      const int column = kColumns[roi_layout == RoiLayout::kX1X2Y1Y2][corner];
      const double coordinate = LoadNumber(ElementOf(rois, r, column), rois.type);
      ROIPOOL_CHECK(std::isfinite(coordinate), Code::kOutOfRange, "%s: rois[%lld, %d] is %g, a coordinate must be finite",
                    function, Print(r), column, coordinate);
      boxes[r * 4 + corner] = static_cast<float>(std::clamp(coordinate, -kLargest, kLargest));
    }
  }
  return {};
}

Status ConvertArgmax(const char* function, const TensorView& argmax, int64_t pixels, int32_t* converted) noexcept {
  Status status;
  ForEachEntry(argmax, [&](const int64_t (&at)[4], double entry) {
    if (!IsPixelOrEmpty(entry, pixels)) {
      status = BadArgmax(function, at, entry, pixels);
      return false;
    }
    *converted++ = static_cast<int32_t>(entry);
    return true;
  });
  return status;
}

Status ExplainBadArgmax(const char* function, const TensorView& argmax, int64_t pixels) noexcept {
  Status status = MakeStatus(Code::kOutOfRange, "%s: argmax held an entry outside [-1, %lld) and was changed during the call",
                             function, Print(pixels));
  ForEachEntry(argmax, [&](const int64_t (&at)[4], double entry) {
    if (IsPixelOrEmpty(entry, pixels)) return true;
    status = BadArgmax(function, at, entry, pixels);
    return false;
  });
  return status;
}

}  // namespace roipool::internal
