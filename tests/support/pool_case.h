// One forward to compute; see grad_case.h.
#ifndef ROIPOOL_TESTS_SUPPORT_POOL_CASE_H_
#define ROIPOOL_TESTS_SUPPORT_POOL_CASE_H_

#include <string>
#include <vector>

#include "fill.h"
#include "roipool/roi_pool.h"
#include "tensor.h"

namespace roipool::test {

/// Where boxes lie.
enum class Boxes {
  kInside,    ///< Whole corners within the map, as detectors make them.
  kAnywhere,  ///< Fractions and exact halves; partly or wholly outside, reversed, far larger than the map, or of no size.
};

struct PoolCase {
  int64_t rois = 12, channels = 5, pooled_h = 3, pooled_w = 3, images = 2, height = 9, width = 11;
  DataType type = DataType::kFloat32, rois_type = DataType::kFloat32;
  Strides x_strides = Strides::kContiguous, rois_strides = Strides::kContiguous;
  Strides y_strides = Strides::kContiguous, argmax_strides = Strides::kContiguous;
  Values values = Values::kReal;
  Boxes boxes = Boxes::kAnywhere;
  Geometry geometry = Geometry::kTorchvision;
  RoiLayout roi_layout = RoiLayout::kX1Y1X2Y2;
  float scale_h = 1, scale_w = 1;
  Fence fence = Fence::kBehind;
  uint64_t seed = 1;

  // clang-format off
  PoolCase& Rois(int64_t count) { rois = count; return *this; }
  PoolCase& Channels(int64_t count) { channels = count; return *this; }
  PoolCase& Pooled(int64_t h, int64_t w) { pooled_h = h; pooled_w = w; return *this; }
  PoolCase& Images(int64_t count) { images = count; return *this; }
  PoolCase& Map(int64_t h, int64_t w) { height = h; width = w; return *this; }
  PoolCase& Type(DataType t) { type = t; return *this; }
  PoolCase& RoisType(DataType t) { rois_type = t; return *this; }
  PoolCase& XStrides(Strides s) { x_strides = s; return *this; }
  PoolCase& RoisStrides(Strides s) { rois_strides = s; return *this; }
  PoolCase& YStrides(Strides s) { y_strides = s; return *this; }
  PoolCase& ArgmaxStrides(Strides s) { argmax_strides = s; return *this; }
  PoolCase& Data(Values v) { values = v; return *this; }
  PoolCase& BoxKind(Boxes b) { boxes = b; return *this; }
  PoolCase& Shape(Geometry g) { geometry = g; return *this; }
  PoolCase& Layout(RoiLayout l) { roi_layout = l; return *this; }
  PoolCase& Scale(float h, float w) { scale_h = h; scale_w = w; return *this; }
  PoolCase& Fenced(Fence f) { fence = f; return *this; }
  PoolCase& Seed(uint64_t s) { seed = s; return *this; }
  // clang-format on

  std::string Describe() const;
};

/// The case's tensors, filled; y and argmax are poisoned.
struct PoolProblem {
  explicit PoolProblem(const PoolCase& c);

  /// Replaces the boxes: rows of (image, x1, y1, x2, y2), whatever the layout.
  void SetRois(const std::vector<std::vector<double>>& rows);

  PoolCase shape;
  Tensor x, rois, y, argmax;

  RoiPoolArgs args();
  /// `options` with the case's geometry and layout.
  Options WithGeometry(Options options) const;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_POOL_CASE_H_
