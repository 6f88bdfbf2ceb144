// Compiled without contraction of multiplications and additions: every operation rounds, as the documents say.
#include "reference.h"

#include <algorithm>
#include <cmath>

#include "element.h"

namespace roipool::test {
namespace {

template <typename Sum>
std::vector<Sum> SumGradient(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois,
                             const std::vector<int64_t>& shape) {
  const int64_t channels = shape[1], pixels = shape[2] * shape[3];
  const int64_t bins = grad_output.extent(2) * grad_output.extent(3);
  std::vector<Sum> sums(static_cast<size_t>(shape[0] * channels * pixels), Sum{0});
  for (int64_t r = 0; r < grad_output.extent(0); ++r) {
    const auto image = static_cast<int64_t>(rois.Number(r * 5));
    for (int64_t c = 0; c < channels; ++c) {
      Sum* plane = sums.data() + (image * channels + c) * pixels;
      for (int64_t j = 0; j < bins; ++j) {
        const int64_t entry = (r * channels + c) * bins + j;
        const auto pixel = static_cast<int64_t>(argmax.Number(entry));
        if (pixel != -1) plane[pixel] += static_cast<Sum>(grad_output.Number(entry));
      }
    }
  }
  return sums;
}

template <typename Sum>
Tensor RoundOnce(const std::vector<Sum>& sums, DataType type, const std::vector<int64_t>& shape) {
  Tensor rounded(type, shape);
  for (size_t i = 0; i < sums.size(); ++i) {
    rounded.SetBits(static_cast<int64_t>(i), BitsOf(static_cast<double>(sums[i]), type));
  }
  return rounded;
}

// Exact in a type of 64 mantissa bits or more, and rounded to odd in one of 53, so that BitsOf() rounds as if it had seen them
// all.
uint64_t BitsOfExact(long double number, DataType type) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  auto rounded = static_cast<double>(number);
  if (type != DataType::kFloat64 && rounded != number && (LoadBits(&rounded, DataType::kFloat64) & 1) == 0) {
    rounded = std::nextafter(rounded, number > rounded ? HUGE_VAL : -HUGE_VAL);
  }
  return BitsOf(rounded, type);
}

struct Box {
  int64_t image;
  float x1, y1, x2, y2;
};

Box ReadBox(const Tensor& rois, int64_t r, RoiLayout layout) {
  const auto column = [&](int64_t index) {
    const auto largest = static_cast<double>(std::numeric_limits<float>::max());
    return static_cast<float>(std::clamp(rois.Number(r * 5 + index), -largest, largest));
  };
  const bool x_first = layout == RoiLayout::kX1X2Y1Y2;
  return {static_cast<int64_t>(rois.Number(r * 5)), column(1), column(x_first ? 3 : 2), column(x_first ? 2 : 3), column(4)};
}

struct Pixels {
  int64_t begin, end;
};

Pixels Clip(double begin, double end, int64_t size) {
  const auto limit = static_cast<double>(size);
  return {static_cast<int64_t>(std::clamp(begin, 0.0, limit)), static_cast<int64_t>(std::clamp(end, 0.0, limit))};
}

// One axis of bin `j` of `bins`. Whole numbers are held as doubles, which have room for every float32's.
Pixels BinOf(int64_t j, int64_t bins, float low, float high, float scale, int64_t size, Geometry geometry) {
  const auto this_bin = static_cast<float>(j), next_bin = static_cast<float>(j + 1), bin_count = static_cast<float>(bins);
  if (geometry == Geometry::kTorchvision) {
    const auto begin = static_cast<double>(std::round(low * scale)), end = static_cast<double>(std::round(high * scale));
    const float width = static_cast<float>(std::max(end - begin + 1, 1.0)) / bin_count;
    return Clip(static_cast<double>(std::floor(this_bin * width)) + begin,
                static_cast<double>(std::ceil(next_bin * width)) + begin, size);
  }
  const float begin = low * scale, end = (high + 1.0f) * scale;
  if (!(end > begin)) return {0, 0};
  const float width = (end - begin) / bin_count;
  return Clip(static_cast<double>(std::floor(begin + this_bin * width)),
              static_cast<double>(std::ceil(begin + next_bin * width)), size);
}

struct Window {
  Pixels rows, columns;
};

// The pixel of the first largest number in a window of a plane with rows of `width` numbers; -1 if there is none.
int64_t FindLargest(const double* plane, int64_t width, const Window& window) {
  int64_t best = -1;
  for (int64_t h = window.rows.begin; h < window.rows.end; ++h) {
    for (int64_t w = window.columns.begin; w < window.columns.end; ++w) {
      const int64_t pixel = h * width + w;
      if (std::isnan(plane[pixel])) continue;
      if (best == -1 || plane[pixel] > plane[best]) best = pixel;
    }
  }
  return best;
}

}  // namespace

Tensor ReferenceGrad(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, const std::vector<int64_t>& shape) {
  const DataType type = grad_output.type();
  if (type == DataType::kFloat64) return RoundOnce(SumGradient<double>(grad_output, argmax, rois, shape), type, shape);
  return RoundOnce(SumGradient<float>(grad_output, argmax, rois, shape), type, shape);
}

Tensor ReferenceGradInFixedPoint(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois,
                                 const std::vector<int64_t>& shape) {
  const DataType type = grad_output.type();
  double largest = 0;
  for (int64_t i = 0; i < grad_output.count(); ++i) {
    if (argmax.Number(i) == -1) continue;
    const double magnitude = std::fabs(grad_output.Number(i));
    if (!std::isfinite(magnitude)) return ReferenceGrad(grad_output, argmax, rois, shape);
    largest = std::max(largest, magnitude);
  }
  // Subnormal magnitudes count as the smallest normal number does, which is SmallestOf() times a power of two.
  const int mantissa_bits = type == DataType::kFloat64   ? 52
                            : type == DataType::kFloat32 ? 23
                            : type == DataType::kFloat16 ? 10
                                                         : 7;
  const double smallest_normal = std::ldexp(SmallestOf(type), mantissa_bits);
  const int64_t addends = grad_output.extent(0) * grad_output.extent(2) * grad_output.extent(3);
  int addends_log2 = 0;
  while ((int64_t{1} << addends_log2) < addends) ++addends_log2;
  int shift = 62 - addends_log2 - (std::ilogb(std::max(largest, smallest_normal)) + 1);
  if (type == DataType::kFloat16) shift = std::min(shift, 24);

  const int64_t channels = shape[1], pixels = shape[2] * shape[3];
  const int64_t bins = grad_output.extent(2) * grad_output.extent(3);
  std::vector<int64_t> sums(static_cast<size_t>(shape[0] * channels * pixels), 0);
  const long double scale = std::ldexp(1.0L, shift);  // Multiplying by it rounds nothing.
  for (int64_t i = 0; i < grad_output.count(); ++i) {
    const auto pixel = static_cast<int64_t>(argmax.Number(i));
    if (pixel == -1) continue;
    const int64_t channel = i / bins % channels, image = static_cast<int64_t>(rois.Number(i / bins / channels * 5));
    sums[static_cast<size_t>((image * channels + channel) * pixels + pixel)] += std::llrint(grad_output.Number(i) * scale);
  }
  Tensor rounded(type, shape);
  for (size_t i = 0; i < sums.size(); ++i) {
    rounded.SetBits(static_cast<int64_t>(i), BitsOfExact(std::ldexp(static_cast<long double>(sums[i]), -shift), type));
  }
  return rounded;
}

std::vector<double> ReferenceGradInDouble(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois,
                                          const std::vector<int64_t>& shape) {
  return SumGradient<double>(grad_output, argmax, rois, shape);
}

PoolResult ReferencePool(const Tensor& x, const Tensor& rois, int64_t pooled_h, int64_t pooled_w, float scale_h, float scale_w,
                         Geometry geometry, RoiLayout roi_layout) {
  const int64_t channels = x.extent(1), pixels = x.extent(2) * x.extent(3);
  const std::vector<int64_t> shape = {rois.extent(0), channels, pooled_h, pooled_w};
  PoolResult result{Tensor(x.type(), shape), Tensor(DataType::kInt32, shape)};
  const std::vector<double> numbers = x.Numbers();  // Windows share pixels: most are looked at many times.
  int64_t position = 0;
  for (int64_t r = 0; r < shape[0]; ++r) {
    const Box box = ReadBox(rois, r, roi_layout);
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t ph = 0; ph < pooled_h; ++ph) {
        for (int64_t pw = 0; pw < pooled_w; ++pw, ++position) {
          const Window window = {BinOf(ph, pooled_h, box.y1, box.y2, scale_h, x.extent(2), geometry),
                                 BinOf(pw, pooled_w, box.x1, box.x2, scale_w, x.extent(3), geometry)};
          const int64_t plane = (box.image * channels + c) * pixels;
          const int64_t best = FindLargest(numbers.data() + plane, x.extent(3), window);
          result.y.SetBits(position, best == -1 ? 0 : x.Bits(plane + best));
          result.argmax.SetNumber(position, static_cast<double>(best));
        }
      }
    }
  }
  return result;
}

}  // namespace roipool::test
