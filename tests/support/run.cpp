#include "run.h"

#include <cmath>
#include <cstring>

#include "compare.h"
#include "cuda_device.h"
#include "element.h"
#include "kernel_rows.h"
#include "reference.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

template <typename Args, typename Phase1, typename Phase2>
RunResult Run(const Args& args, const Options& options, const Phase1& phase_1, const Phase2& phase_2) {
  RunResult result;
  ExecutorPtr executor;
  result.status = phase_1(args, options, &result.workspace_size, &executor);
  if (!result.status.ok()) {
    EXPECT_EQ(executor, nullptr);
    EXPECT_EQ(result.workspace_size, 0u);
    return result;
  }
  result.kernel = KernelName(*executor);
  const GuardedBuffer workspace = MakeWorkspace(result.workspace_size);
  result.status = phase_2(workspace.data(), result.workspace_size, executor.get());
  EXPECT_EQ(workspace.FindDamage(), "");
  return result;
}

// Tensors and workspace in device memory, and what is in host memory brought up to date.
template <typename Args, typename Phase1, typename Phase2>
RunResult RunOnCuda(const Args& args, const Options& options, const Phase1& phase_1, const Phase2& phase_2) {
  RunResult result;
  const CudaTensors<Args> tensors(args);
  ExecutorPtr executor;
  result.status = phase_1(tensors.args(), options, &result.workspace_size, &executor);
  if (!result.status.ok()) return result;
  result.kernel = KernelName(*executor);
  const CudaMemory workspace(result.workspace_size);
  result.status = phase_2(workspace.address(), result.workspace_size, executor.get());
  if (result.status.ok()) result.status = Synchronize(executor.get());
  tensors.CopyBack();
  return result;
}

template <typename Args, typename Phase1, typename Phase2>
RunResult RunWhereDataGo(const Args& args, const Options& options, const Phase1& phase_1, const Phase2& phase_2) {
  return (options.device == Device::kCuda ? RunOnCuda<Args, Phase1, Phase2> : Run<Args, Phase1, Phase2>)(args, options, phase_1,
                                                                                                         phase_2);
}

// The bound for sums of n float32 (float64) numbers in any order, (n - 1) * 2^-24 (2^-53) * the sum of their magnitudes, twice,
// since the expected sum has such an error itself; and half a unit of the last place for a rounding to 16 bits.
//
// CUDA's atomic additions of float32 to global memory take subnormal addends and sums for zeros. Of one addition this changes
// either the addend, after which the sum is what it was and no subnormal number, or the sum, by less than 2^-126 in both cases:
// n * 2^-126 in all. Multiples of float16's smallest number, 2^-24, are never that small.
testing::AssertionResult CloseGradient(const GradProblem& problem, const Tensor& expected, Device device) {
  const DataType type = expected.type();
  constexpr double kScale = 0x1p-12;  // So that sums of float64 magnitudes stay finite.
  Tensor ones(DataType::kFloat64, problem.grad_output.shape()), magnitudes(DataType::kFloat64, problem.grad_output.shape());
  for (int64_t i = 0; i < problem.grad_output.count(); ++i) {
    ones.SetNumber(i, 1);
    magnitudes.SetNumber(i, std::fabs(problem.grad_output.Number(i)) * kScale);
  }
  const auto sums = [&](const Tensor& addends) {
    return ReferenceGradInDouble(addends, problem.argmax, problem.rois, expected.shape());
  };
  const std::vector<double> counts = sums(ones), magnitude_sums = sums(magnitudes);
  const double largest = type == DataType::kFloat64 ? LargestOf(type) : LargestOf(DataType::kFloat32);
  const double epsilon = type == DataType::kFloat64 ? 0x1p-53 : 0x1p-24;
  const double rounding = type == DataType::kFloat16 ? 0x1p-11 : type == DataType::kBFloat16 ? 0x1p-8 : 0;
  for (int64_t i = 0; i < expected.count(); ++i) {
    const auto at = static_cast<size_t>(i);
    const double a = expected.Number(i), b = problem.grad_input.Number(i);
    if (expected.Bits(i) == problem.grad_input.Bits(i) || (std::isnan(a) && std::isnan(b))) continue;
    if (magnitude_sums[at] >= largest * kScale && std::isfinite(magnitude_sums[at]))
      continue;  // Whether it overflows depends on the order.
    const double flushed = FlushesSubnormals(device, type) ? counts[at] * 0x1p-126 : 0;
    const double bound = 2 * std::max(counts[at] - 1, 0.0) * epsilon * (magnitude_sums[at] / kScale) +
                         2 * rounding * (std::fabs(a) + flushed) + 2 * SmallestOf(type) + flushed;
    if (std::fabs(a - b) <= bound) continue;
    return testing::AssertionFailure() << "grad_input" << expected.CoordinatesOf(i) << " is " << b << ", expected " << a
                                       << " within " << bound;
  }
  return testing::AssertionSuccess();
}

}  // namespace

GuardedBuffer MakeWorkspace(uint64_t size, Fence fence) {
  GuardedBuffer workspace(static_cast<int64_t>(size), fence, static_cast<int64_t>(kWorkspaceAlignment));
  std::memset(workspace.data(), 0xff, size);
  return workspace;
}

RunResult RunGrad(const RoiPoolGradArgs& args, const Options& options) {
  return RunWhereDataGo(args, options, RoiPoolGradGetWorkspaceSize, RoiPoolGrad);
}

RunResult RunPool(const RoiPoolArgs& args, const Options& options) {
  return RunWhereDataGo(args, options, RoiPoolGetWorkspaceSize, RoiPool);
}

Tensor ExpectedGrad(const GradProblem& problem, const Options& options) {
  const auto reference = options.accumulation == Accumulation::kFloat ? ReferenceGrad : ReferenceGradInFixedPoint;
  return reference(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape());
}

// Whether all gradients that count are.
bool IsFinite(const GradProblem& problem) {
  for (int64_t i = 0; i < problem.grad_output.count(); ++i) {
    if (problem.argmax.Number(i) != -1 && !std::isfinite(problem.grad_output.Number(i))) return false;
  }
  return true;
}

testing::AssertionResult SameGradient(const GradProblem& problem, const Options& options) {
  const Tensor expected = ExpectedGrad(problem, options);
  const bool adds_floats = options.accumulation == Accumulation::kFloat || !IsFinite(problem);
  if (options.device == Device::kCpu || !adds_floats) return SameBits(expected, problem.grad_input);
  return CloseGradient(problem, expected, options.device);
}

void ExpectGradOfCase(const GradCase& c, const Options& options, const std::string& kernel) {
  const std::string note = c.Describe();
  SCOPED_TRACE(note);
  SetCrashNote(note);
  GradProblem problem(c);
  const Tensor expected = ExpectedGrad(problem, options);
  const auto chosen = static_cast<double>(problem.argmax.count()) * (1 - c.empty_share);
  if (c.grad_output_strides != Strides::kExpanded) {
    EXPECT_TRUE(IsTelling(expected, static_cast<int64_t>(chosen / 4)));
  }

  const RunResult result = RunGrad(problem.args(), options);
  ASSERT_OK(result.status);
  EXPECT_EQ(result.kernel, problem.argmax.count() == 0 ? "none" : kernel);
  EXPECT_TRUE(SameGradient(problem, options));

  const GradProblem before(c);
  for (const Tensor GradProblem::* tensor : {&GradProblem::grad_output, &GradProblem::argmax, &GradProblem::rois}) {
    EXPECT_EQ((problem.*tensor).Bytes(), (before.*tensor).Bytes());
  }
  for (const Tensor GradProblem::* tensor :
       {&GradProblem::grad_output, &GradProblem::argmax, &GradProblem::rois, &GradProblem::grad_input}) {
    EXPECT_EQ((problem.*tensor).FindDamage(), "");
  }
}

void ExpectPoolOfProblem(PoolProblem& problem, const std::string& note, const Options& options, const std::string& kernel) {
  SCOPED_TRACE(note);
  SetCrashNote(note);
  const PoolCase& c = problem.shape;
  const PoolResult expected =
      ReferencePool(problem.x, problem.rois, c.pooled_h, c.pooled_w, c.scale_h, c.scale_w, c.geometry, c.roi_layout);
  const std::vector<std::byte> x_before = problem.x.Bytes(), rois_before = problem.rois.Bytes();

  const RunResult result = RunPool(problem.args(), problem.WithGeometry(options));
  ASSERT_OK(result.status);
  EXPECT_EQ(result.kernel, problem.y.count() == 0 ? "none" : kernel);
  EXPECT_TRUE(SameBits(expected.argmax, problem.argmax)) << "argmax";
  EXPECT_TRUE(SameBits(expected.y, problem.y)) << "y";

  EXPECT_EQ(problem.x.Bytes(), x_before);
  EXPECT_EQ(problem.rois.Bytes(), rois_before);
  for (const Tensor* tensor : {&problem.x, &problem.rois, &problem.y, &problem.argmax}) EXPECT_EQ(tensor->FindDamage(), "");
}

void ExpectPoolOfCase(const PoolCase& c, const Options& options, const std::string& kernel) {
  PoolProblem problem(c);
  ExpectPoolOfProblem(problem, c.Describe(), options, kernel);
}

}  // namespace roipool::test
