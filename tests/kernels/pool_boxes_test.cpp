// Boxes that other implementations get wrong: huge, reversed, tiny, outside, on exact halves.
#include "kernel_rows.h"
#include "pool_case.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

using Rows = std::vector<std::vector<double>>;

class PoolBoxes : public PerKernel {
 protected:
  static PoolCase OneBin(Geometry geometry) {
    return PoolCase().Type(GetParam().type).Shape(geometry).Images(1).Channels(3).Pooled(1, 1).Data(Values::kInteger);
  }

  static void Expect(PoolCase c, const Rows& rows) {
    for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
      for (const int64_t pooled : {1, 2, 3, 7}) {
        c.Type(GetParam().type).Images(1).Channels(2).Rois(static_cast<int64_t>(rows.size())).Pooled(pooled, pooled);
        PoolProblem problem(c.Shape(geometry));
        problem.SetRois(rows);
        ExpectPoolOfProblem(problem, c.Describe() + " with boxes of its own", OptionsFor(GetParam()), GetParam().name);
      }
    }
  }
};

TEST_P(PoolBoxes, Huge) {
  Expect(PoolCase(), {{0, 0, 0, 3e9, 3e9},
                      {0, 2, 1, 3e9, 1e30},
                      {0, 1e30, 1e30, 3e9, 3e9},
                      {0, 3e9, 3e9, 4e9, 4e9},
                      {0, -3e9, -3e9, -2e9, 5},
                      {0, -1e30, 0, -3e9, 4},
                      {0, -2147483648.0, 0, 2147483648.0, 8},
                      {0, 4294967296.0, 4294967296.0, 4294967300.0, 4294967300.0},
                      {0, 5, 5, -1e30, -3e9},
                      // Bins of 2^31 pixels and more, whose edges lie on the map: -1.5 * 2^32 to 0.75 * 2^32 in three.
                      {0, -6442450944.0, -6442450944.0, 3221225472.0, 3221225472.0},
                      {0, -3e9, -6442450944.0, 3e9, 3221225472.0}});
}

// Here float32 rounds products of corner and scale to infinity. The map lies within the box all the same.
TEST_P(PoolBoxes, HugeTimesScaleCoversTheMap) {
  for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
    PoolProblem inside(OneBin(geometry).Rois(1));
    inside.SetRois({{0, -1, -1, 100, 100}});
    ASSERT_OK(RunPool(inside.args(), inside.WithGeometry(OptionsFor(GetParam()))).status);
    for (const double largest : {3e38, 1e30, 3e9}) {
      PoolProblem huge(OneBin(geometry).Rois(2).Scale(100, 4));
      huge.SetRois({{0, -largest, -largest, largest, largest}, {0, largest, largest, largest, largest}});
      ASSERT_OK(RunPool(huge.args(), huge.WithGeometry(OptionsFor(GetParam()))).status);
      for (int64_t c = 0; c < 3; ++c) {
        EXPECT_EQ(huge.argmax.Number(c), inside.argmax.Number(c)) << largest;
        EXPECT_EQ(huge.argmax.Number(3 + c), -1) << "a box far outside has only empty bins: " << largest;
      }
    }
  }
}

TEST_P(PoolBoxes, HugeFloat64BoxesAreClipped) {
  for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
    PoolProblem problem(OneBin(geometry).Rois(2).RoisType(DataType::kFloat64));
    problem.SetRois({{0, -1e300, -1e300, 1e300, 1e300}, {0, 1e300, 0, 1e301, 4}});
    ASSERT_OK(RunPool(problem.args(), problem.WithGeometry(OptionsFor(GetParam()))).status);
    for (int64_t c = 0; c < 3; ++c) {
      EXPECT_NE(problem.argmax.Number(c), -1);
      EXPECT_EQ(problem.argmax.Number(3 + c), -1);
    }
  }
}

TEST_P(PoolBoxes, Tiny) {
  Expect(PoolCase(), {{0, 3, 4, 3, 4},
                      {0, 3.25, 4.75, 3.25, 4.75},
                      {0, 2, 2, 2.0000002, 2.0000002},
                      {0, 1e-30, 1e-30, 2e-30, 2e-30},
                      {0, -1e-45, -1e-45, 1e-45, 1e-45},
                      {0, 10, 8, 10, 8},
                      {0, 11, 9, 11, 9}});
}

TEST_P(PoolBoxes, Reversed) {
  Expect(PoolCase(),
         {{0, 5, 5, 3, 3}, {0, 5, 5, 4, 4}, {0, 5, 2, 3, 6}, {0, 2, 5, 6, 3}, {0, 5, 5, 4.5, 4.5}, {0, -2, -2, -3, -3}});
}

TEST_P(PoolBoxes, OnTheMapsEdgeAndOutside) {
  Expect(PoolCase(), {{0, -1, -1, -1, -1},
                      {0, -1, -1, 0, 0},
                      {0, -5, -5, -1.5, -1.5},
                      {0, 10, 8, 11, 9},
                      {0, 11, 9, 12, 10},
                      {0, 10.5, 8.5, 20, 20},
                      {0, -30, -30, 40, 40}});
}

// torchvision rounds half away from zero; floor(v + 0.5) and the C++ default differ on these.
TEST_P(PoolBoxes, ExactHalves) {
  Expect(PoolCase(), {{0, 0.5, 0.5, 2.5, 2.5},
                      {0, 1.5, 1.5, 3.5, 3.5},
                      {0, -0.5, -0.5, 2.5, 2.5},
                      {0, -1.5, -2.5, 4.5, 4.5},
                      {0, -2.5, -2.5, -0.5, -0.5},
                      {0, 0.49999997, 0.49999997, 1.4999999, 1.4999999},
                      {0, 8388609.0, 0, 8388609.5, 3}});
  Expect(PoolCase().Scale(0.5f, 0.25f), {{0, 2, 1, 10, 5}, {0, 6, 3, 14, 9}, {0, -2, -1, 22, 11}});
}

TEST_P(PoolBoxes, ScalesThatAreNotExact) {
  Rows rows;
  for (int corner = 0; corner < 40; ++corner) rows.push_back({0, 1.0 * corner, 2.0 * corner, 3.0 * corner, 5.0 * corner});
  for (const float scale : {0.1f, 1.0f / 3, 0.7f, 1.0f / 16}) Expect(PoolCase().Scale(scale, scale).Map(31, 33), rows);
}

INSTANTIATE_TEST_SUITE_P(All, PoolBoxes, testing::ValuesIn(PoolRows()), RowName);

}  // namespace
}  // namespace roipool::test
