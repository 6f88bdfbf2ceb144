// Ten faults that users of other RoI pooling implementations reported, each on every kernel: the kind, not only the one input.
#include <algorithm>
#include <limits>

#include "compare.h"
#include "element.h"
#include "every_case.h"
#include "kernel_rows.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Each test runs on every kernel that this CPU can run.
class ReportedCases : public testing::Test {
 protected:
  template <typename Body>
  void ForEachKernel(Operator op, const Body& body) {
    for (const KernelRow& row : RowsOf(op)) {
      if (!WhyNotHere(row).empty()) continue;
      SCOPED_TRACE(row.name);
      row_ = row;
      ASSERT_NO_FATAL_FAILURE(body());
    }
  }
  DataType type() const { return row_.type; }
  Options options(int32_t threads = 2) const { return OptionsFor(row_, threads); }

  Tensor Floats(std::vector<int64_t> shape, const std::vector<double>& numbers) const {
    return Tensor::Of(type(), std::move(shape), numbers);
  }
  static Tensor Indices(std::vector<int64_t> shape, const std::vector<double>& numbers) {
    return Tensor::Of(DataType::kInt32, std::move(shape), numbers);
  }
  // Boxes of one pixel each.
  static Tensor RoisOf(const std::vector<double>& images) {
    Tensor rois(DataType::kFloat32, {static_cast<int64_t>(images.size()), 5});
    rois.SetAll(0);
    for (size_t r = 0; r < images.size(); ++r) rois.SetNumber(static_cast<int64_t>(r) * 5, images[r]);
    return rois;
  }
  void ExpectGrad(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, const Tensor& expected) const {
    Tensor grad_input(type(), expected.shape());
    ASSERT_OK(RunGrad(ArgsOf(grad_output, argmax, rois, grad_input), options()).status);
    EXPECT_TRUE(SameBits(expected, grad_input));
  }

  KernelRow row_ = {};
};

// 1. f32 in ascending roi order: 1e8 + 1 rounds to 1e8. f64 keeps the 1. f16 cannot hold 1e8, so 2048 stands for it there:
// its float32 sum keeps the 1, as that of bf16 does.
TEST_F(ReportedCases, Case01_OrderOfAdditionIsFixed) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    const bool small = type() == DataType::kFloat16 || type() == DataType::kBFloat16;
    const double large = small ? 2048 : 1e8;
    const Tensor grad_output = Floats({3, 1, 1, 1}, {large, 1, -large}), argmax = Indices({3, 1, 1, 1}, {0, 0, 0});
    const Tensor rois = RoisOf({0, 0, 0});
    if (AddsInAnyOrder(row_)) return;
    const bool is_exact = row_.accumulation == Accumulation::kFixedPoint;
    const uint64_t expected = BitsOf(type() == DataType::kFloat32 && !is_exact ? 0 : 1, type());
    const bool on_cpu = row_.device == Device::kCpu;
    for (const int32_t threads : {1, 2, 8}) {
      if (!on_cpu && threads > 1) continue;
      for (int repeat = 0; repeat < (on_cpu ? 200 : 20); ++repeat) {
        Tensor grad_input(type(), {1, 1, 1, 1});
        ASSERT_OK(RunGrad(ArgsOf(grad_output, argmax, rois, grad_input), options(threads)).status);
        ASSERT_EQ(grad_input.Bits(0), expected) << "repeat " << repeat << " with " << threads << " threads";
      }
    }
  });
}

// 2. An expanded gradient: all strides 0 over one 1, followed in memory by NaN.
TEST_F(ReportedCases, Case02_ExpandedGradientIsReadByItsStrides) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    const Tensor one_and_nan = Floats({6}, {1, kNaN, kNaN, kNaN, kNaN, kNaN});
    const Tensor argmax = Indices({2, 1, 2, 2}, {0, 1, 2, 3, 0, 1, 2, 3}), rois = RoisOf({0, 0});
    Tensor grad_input(type(), {1, 1, 2, 2});
    RoiPoolGradArgs args = ArgsOf(one_and_nan, argmax, rois, grad_input);
    static_cast<TensorLayout&>(args.grad_output) = TensorLayout::Contiguous(type(), {2, 1, 2, 2});
    for (int64_t& stride : args.grad_output.strides) stride = 0;
    ASSERT_OK(RunGrad(args, options()).status);
    EXPECT_TRUE(SameBits(Floats({1, 1, 2, 2}, {2, 2, 2, 2}), grad_input));
  });
}

// 3. A roi of the second image alone.
TEST_F(ReportedCases, Case03_SecondImageGetsItsOwnGradient) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    ExpectGrad(Floats({1, 2, 1, 1}, {5, 7}), Indices({1, 2, 1, 1}, {3, 1}), RoisOf({1}),
               Floats({2, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 7, 0, 0}));
  });
}

// 4. An image index out of range, there from the start or written between the phases.
TEST_F(ReportedCases, Case04_ImageIndexOutOfRangeIsAnError) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    if (row_.device == Device::kCuda) return;  // Its phases take no host memory; see DeviceGrad.
    const Tensor grad_output = Floats({2, 1, 1, 1}, {1, 1}), argmax = Indices({2, 1, 1, 1}, {0, 1});
    for (const auto& [images, offender] :
         {std::pair{std::vector<double>{0, 1}, "rois[1, 0] is 1"}, std::pair{std::vector<double>{-1, 0}, "rois[0, 0] is -1"}}) {
      for (const bool is_late : {false, true}) {
        Tensor rois = RoisOf(is_late ? std::vector<double>{0, 0} : images), grad_input(type(), {1, 1, 2, 2});
        const std::vector<std::byte> before = grad_input.Bytes();
        uint64_t size = 0;
        ExecutorPtr executor;
        ASSERT_OK(RoiPoolGradGetWorkspaceSize(ArgsOf(grad_output, argmax, rois, grad_input), options(), &size, &executor));
        for (int64_t r = 0; r < 2; ++r) rois.SetNumber(r * 5, images[static_cast<size_t>(r)]);
        const GuardedBuffer workspace = MakeWorkspace(size);
        EXPECT_FAILS(RoiPoolGrad(workspace.data(), size, executor.get()), StatusCode::kOutOfRange, offender, "[0, 1)");
        EXPECT_EQ(grad_input.Bytes(), before) << "found before anything was written";
        EXPECT_EQ(workspace.FindDamage() + grad_input.FindDamage() + rois.FindDamage(), "");
      }
    }
  });
}

// 5. No rois at all.
TEST_F(ReportedCases, Case05_NoRoisGiveZeros) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    const Tensor grad_output(type(), {0, 3, 2, 2}), argmax(DataType::kInt32, {0, 3, 2, 2}), rois(DataType::kFloat32, {0, 5});
    Tensor grad_input(type(), {1, 3, 4, 4}), zeros(type(), {1, 3, 4, 4});
    grad_input.SetAll(7);
    zeros.SetAll(0);
    ASSERT_OK(RunGrad(ArgsOf(grad_output, argmax, rois, grad_input), options()).status);
    EXPECT_TRUE(SameBits(zeros, grad_input));
  });
}

// 6. An empty bin whose gradient is NaN.
TEST_F(ReportedCases, Case06_EmptyBinWithNaNLeavesNoNaN) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    ExpectGrad(Floats({2, 1, 1, 1}, {kNaN, 3}), Indices({2, 1, 1, 1}, {-1, 2}), RoisOf({0, 0}),
               Floats({1, 1, 2, 2}, {0, 0, 3, 0}));
  });
}

// 7. A plane so large that float32 cannot hold its indices.
TEST_F(ReportedCases, Case07_LargePlaneKeepsItsIndicesExact) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    constexpr int64_t kSide = 4099, kPixel = 16777217;
    // A minute for each kernel on a driver that interprets it.
    if (row_.device == Device::kCuda && (!RunsEveryCase(row_) || type() != DataType::kFloat32)) return;
    if (kSide * kSide > row_.max_pixels) return;
    Tensor grad_input(type(), {1, 1, kSide, kSide});
    const Tensor grad_output = Floats({1, 1, 1, 1}, {1}), argmax = Indices({1, 1, 1, 1}, {kPixel}), rois = RoisOf({0});
    ASSERT_OK(RunGrad(ArgsOf(grad_output, argmax, rois, grad_input), options()).status);
    EXPECT_EQ(grad_input.Bits(kPixel), BitsOf(1, type())) << grad_input.CoordinatesOf(kPixel);
    grad_input.SetBits(kPixel, 0);
    const std::vector<std::byte> bytes = grad_input.Bytes();
    EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
  });
}

// 8. Features that are all negative.
TEST_F(ReportedCases, Case08_NegativeFeaturesHaveAMaximum) {
  ForEachKernel(Operator::kRoiPool, [&] {
    for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
      PoolProblem problem(PoolCase().Type(type()).Shape(geometry).Images(1).Channels(1).Map(2, 2).Rois(1).Pooled(1, 1));
      const double x[] = {-5, -3, -4, -9};
      for (int64_t i = 0; i < 4; ++i) problem.x.SetNumber(i, x[i]);
      problem.SetRois({{0, 0, 0, 1, 1}});
      ASSERT_OK(RunPool(problem.args(), problem.WithGeometry(options())).status);
      EXPECT_EQ(problem.y.Number(0), -3);
      EXPECT_EQ(problem.argmax.Number(0), 1);
    }
  });
}

// 9. Bins that share pixels, forward and back.
TEST_F(ReportedCases, Case09_BinsSharePixels) {
  ForEachKernel(Operator::kRoiPool, [&] {
    for (const Geometry geometry : {Geometry::kTorchvision, Geometry::kAclnn}) {
      PoolProblem problem(PoolCase().Type(type()).Shape(geometry).Images(1).Channels(1).Map(3, 3).Rois(1).Pooled(2, 2));
      const double x[] = {1, 2, 3, 4, 9, 5, 6, 7, 8};
      for (int64_t i = 0; i < 9; ++i) problem.x.SetNumber(i, x[i]);
      problem.SetRois({{0, 0, 0, 2, 2}});
      ASSERT_OK(RunPool(problem.args(), problem.WithGeometry(options())).status);
      EXPECT_EQ(problem.y.Numbers(), std::vector<double>(4, 9));
      EXPECT_EQ(problem.argmax.Numbers(), std::vector<double>(4, 4));

      Tensor grad_input(type(), {1, 1, 3, 3});
      const Tensor ones = Floats({1, 1, 2, 2}, {1, 1, 1, 1});
      Options any_schedule;
      any_schedule.max_isa = row_.isa;
      ASSERT_OK(RunGrad(ArgsOf(ones, problem.argmax, problem.rois, grad_input), any_schedule).status);
      EXPECT_TRUE(SameBits(Floats({1, 1, 3, 3}, {0, 0, 0, 0, 4, 0, 0, 0, 0}), grad_input));
    }
  });
}

// 10. Rois of another float type than the gradients', in every pairing.
TEST_F(ReportedCases, Case10_RoisHaveATypeOfTheirOwn) {
  ForEachKernel(Operator::kRoiPoolGrad, [&] {
    for (const DataType rois_type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      ExpectGrad(Floats({1, 1, 1, 1}, {2}), Indices({1, 1, 1, 1}, {3}), Tensor::Of(rois_type, {1, 5}, {1, 0, 0, 1, 1}),
                 Floats({2, 1, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 2}));
    }
  });
}

}  // namespace
}  // namespace roipool::test
