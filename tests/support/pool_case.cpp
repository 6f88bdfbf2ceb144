#include "pool_case.h"

#include <cmath>
#include <sstream>
#include <utility>

#include "describe.h"

namespace roipool::test {
namespace {

struct Interval {
  double begin, end;
};

// One axis of a box on a map of `size` pixels, in the map's own coordinates.
Interval MakeInterval(int64_t size, Boxes boxes, SeededRandom& random) {
  const auto last = static_cast<double>(size - 1);
  if (boxes == Boxes::kInside) {
    const int64_t a = random.Whole(0, size - 1), b = random.Whole(0, size - 1);
    return {static_cast<double>(std::min(a, b)), static_cast<double>(std::max(a, b))};
  }
  switch (random.Whole(0, 5)) {
    case 0:  // exact halves, whose rounding is what differs between implementations
      return {static_cast<double>(random.Whole(-2, size)) + 0.5, static_cast<double>(random.Whole(0, size + 1)) + 0.5};
    case 1:  // larger than the map
      return {random.Between(-3 * last - 3, 0), random.Between(last, 4 * last + 4)};
    case 2:  // wholly outside
      return random.Chance(0.5) ? Interval{-9.25, -2.5} : Interval{last + 2.25, last + 7.75};
    case 3: {  // no size, or less
      const double begin = random.Between(0, last + 1);
      return {begin, begin - static_cast<double>(random.Whole(0, 8)) / 4};
    }
    default: {
      const double a = random.Between(-2, last + 2), b = random.Between(-2, last + 2);
      return {std::min(a, b), std::max(a, b)};
    }
  }
}

}  // namespace

std::string PoolCase::Describe() const {
  const PoolCase defaults;
  std::ostringstream text;
  DescribeSizes(text, "PoolCase", *this, defaults);
  DescribeStrides(text, "XStrides", x_strides);
  DescribeStrides(text, "RoisStrides", rois_strides);
  DescribeStrides(text, "YStrides", y_strides);
  DescribeStrides(text, "ArgmaxStrides", argmax_strides);
  if (values != defaults.values) text << ".Data(Values::" << NameOf(values) << ")";
  if (boxes != defaults.boxes) text << ".BoxKind(Boxes::kInside)";
  if (geometry != defaults.geometry) text << ".Shape(Geometry::kAclnn)";
  if (roi_layout != defaults.roi_layout) text << ".Layout(RoiLayout::kX1X2Y1Y2)";
  if (scale_h != defaults.scale_h || scale_w != defaults.scale_w) text << ".Scale(" << scale_h << "f, " << scale_w << "f)";
  if (fence != defaults.fence) text << ".Fenced(Fence::kBefore)";
  if (seed != defaults.seed) text << ".Seed(" << seed << ")";
  text << "; " << ReplayHint();
  return text.str();
}

PoolProblem::PoolProblem(const PoolCase& c)
    : shape(c),
      x(c.type, {c.images, c.channels, c.height, c.width}, c.x_strides, c.fence),
      rois(c.rois_type, {c.rois, 5}, c.rois_strides, c.fence),
      y(c.type, {c.rois, c.channels, c.pooled_h, c.pooled_w}, c.y_strides, c.fence),
      argmax(DataType::kInt32, {c.rois, c.channels, c.pooled_h, c.pooled_w}, c.argmax_strides, c.fence) {
  SeededRandom random(c.seed);
  FillValues(x, c.values, random);
  std::vector<std::vector<double>> rows;
  for (int64_t r = 0; r < c.rois; ++r) {
    const auto image = static_cast<double>(random.Whole(0, c.images - 1));
    const Interval columns = MakeInterval(c.width, c.boxes, random), lines = MakeInterval(c.height, c.boxes, random);
    const auto scale_w = static_cast<double>(c.scale_w), scale_h = static_cast<double>(c.scale_h);
    rows.push_back({image, columns.begin / scale_w, lines.begin / scale_h, columns.end / scale_w, lines.end / scale_h});
  }
  SetRois(rows);
}

void PoolProblem::SetRois(const std::vector<std::vector<double>>& rows) {
  for (size_t r = 0; r < rows.size(); ++r) {
    std::vector<double> row = rows[r];
    if (shape.roi_layout == RoiLayout::kX1X2Y1Y2) std::swap(row[2], row[3]);
    for (size_t column = 0; column < 5; ++column) rois.SetNumber(static_cast<int64_t>(r * 5 + column), row[column]);
  }
}

RoiPoolArgs PoolProblem::args() {
  RoiPoolArgs args;
  args.x = x.view();
  args.rois = rois.view();
  args.spatial_scale_h = shape.scale_h;
  args.spatial_scale_w = shape.scale_w;
  args.y = y.mutable_view();
  args.argmax = argmax.mutable_view();
  return args;
}

Options PoolProblem::WithGeometry(Options options) const {
  options.geometry = shape.geometry;
  options.roi_layout = shape.roi_layout;
  return options;
}

}  // namespace roipool::test
