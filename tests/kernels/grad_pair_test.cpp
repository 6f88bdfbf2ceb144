// Forward and gradient belong together: finite differences of the forward, and nothing lost on the way back.
#include <cmath>
#include <numeric>

#include "grad_case.h"
#include "kernel_rows.h"
#include "pool_case.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

struct Pair {
  explicit Pair(const PoolCase& c) : pool(c), grad_output(c.type, pool.y.shape()), grad_input(c.type, pool.x.shape()) {
    // Distinct values, so that a small step changes no winner.
    for (int64_t i = 0; i < pool.x.count(); ++i) pool.x.SetNumber(i, static_cast<double>(i * 7919 % pool.x.count()) / 16);
    SeededRandom random(c.seed + 1);
    FillValues(grad_output, Values::kInteger, random);
  }

  void Forward() { ASSERT_OK(RunPool(pool.args(), pool.WithGeometry({})).status); }
  void Backward() {
    RoiPoolGradArgs args;
    args.grad_output = grad_output.view();
    args.argmax = pool.argmax.view();
    args.rois = pool.rois.view();
    args.grad_input = grad_input.mutable_view();
    ASSERT_OK(RunGrad(args, {}).status);
  }
  // What the gradient differentiates: sum(grad_output * y).
  double Loss() {
    Forward();
    double loss = 0;
    for (int64_t i = 0; i < pool.y.count(); ++i) loss += grad_output.Number(i) * pool.y.Number(i);
    return loss;
  }

  PoolProblem pool;
  Tensor grad_output, grad_input;
};

class GradPair : public testing::TestWithParam<Geometry> {};

TEST_P(GradPair, GradientEqualsFiniteDifferences) {
  Pair pair(PoolCase().Type(DataType::kFloat64).Shape(GetParam()).Channels(2).Map(6, 7).Rois(9));
  pair.Forward();
  pair.Backward();
  constexpr double kStep = 1.0 / 64;  // A power of two below half the distance of two values: every difference is exact.
  for (int64_t i = 0; i < pair.pool.x.count(); ++i) {
    const double value = pair.pool.x.Number(i);
    pair.pool.x.SetNumber(i, value + kStep);
    const double above = pair.Loss();
    pair.pool.x.SetNumber(i, value - kStep);
    const double below = pair.Loss();
    pair.pool.x.SetNumber(i, value);
    EXPECT_EQ(pair.grad_input.Number(i), (above - below) / (2 * kStep)) << pair.pool.x.CoordinatesOf(i);
  }
}

TEST_P(GradPair, GradientOfNonEmptyBinsArrivesWhole) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat64}) {
    Pair pair(PoolCase().Type(type).Shape(GetParam()).Rois(80).Pooled(7, 7).Images(3));
    pair.Forward();
    pair.Backward();
    double sent = 0, not_sent = 0;
    for (int64_t i = 0; i < pair.grad_output.count(); ++i) {
      (pair.pool.argmax.Number(i) == -1 ? not_sent : sent) += pair.grad_output.Number(i);
    }
    const std::vector<double> arrived = pair.grad_input.Numbers();
    EXPECT_EQ(std::accumulate(arrived.begin(), arrived.end(), 0.0), sent);
    EXPECT_NE(not_sent, 0) << "this case has no empty bins to tell apart";
  }
}

std::string GeometryName(const testing::TestParamInfo<Geometry>& info) {
  return info.param == Geometry::kAclnn ? "Aclnn" : "Torchvision";
}
INSTANTIATE_TEST_SUITE_P(Both, GradPair, testing::Values(Geometry::kTorchvision, Geometry::kAclnn), GeometryName);

}  // namespace
}  // namespace roipool::test
