#include "worker_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "array.h"
#include "inputs.h"
#include "plan.h"
#include "run.h"
#include "user_error.h"
#include "validate.h"

namespace roipool::cli {
namespace {

constexpr const char* kFunction = "roipool_tune_worker";
constexpr double kEmptyShare = 0.01;

size_t BytesOf(const Array& array) { return static_cast<size_t>(ElementCount(array) * ElementSize(array.type)); }

// A float32 of moderate size in another type, cut rather than rounded: any numbers will do.
void WriteNumber(float number, DataType type, std::byte* to) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const auto exponent = static_cast<int>(bits >> 23 & 0xff) - 127 + 15;
  const uint32_t half = exponent <= 0 ? 0 : static_cast<uint32_t>(exponent) << 10 | (bits >> 13 & 0x3ff);
  const auto f16 = static_cast<uint16_t>((bits >> 16 & 0x8000) | half), bf16 = static_cast<uint16_t>(bits >> 16);
  const double f64 = number;
  if (type == DataType::kFloat32) std::memcpy(to, &number, sizeof(number));
  if (type == DataType::kFloat16) std::memcpy(to, &f16, sizeof(f16));
  if (type == DataType::kBFloat16) std::memcpy(to, &bf16, sizeof(bf16));
  if (type == DataType::kFloat64) std::memcpy(to, &f64, sizeof(f64));
}

Array Converted(const Array& numbers, DataType type) {
  if (type == numbers.type) return numbers;
  Array converted = AllocateArray(type, numbers.shape);
  auto* to = static_cast<std::byte*>(converted.data.get());
  const auto* from = static_cast<const float*>(numbers.data.get());
  for (int64_t i = 0; i < ElementCount(numbers); ++i) WriteNumber(from[i], type, to + i * ElementSize(type));
  return converted;
}

Array Copied(const Array& array) {
  Array copy = AllocateArray(array.type, array.shape);
  std::memcpy(copy.data.get(), array.data.get(), BytesOf(array));
  return copy;
}

void PoisonArray(Array& array) { std::memset(array.data.get(), 0xff, BytesOf(array)); }

std::string DifferenceOf(const char* name, const Array& expected, const Array& got) {
  const auto* right = static_cast<const std::byte*>(expected.data.get());
  const auto* is = static_cast<const std::byte*>(got.data.get());
  const auto bytes = static_cast<std::ptrdiff_t>(BytesOf(got));
  const auto [at, other] = std::mismatch(right, right + bytes, is);
  if (at == right + bytes) return {};
  return fmt::format("element {} of {} in {}", (at - right) / ElementSize(got.type), name, Describe(got));
}

struct Inputs {
  explicit Inputs(const Shape& shape, DataType type) {
    std::mt19937 random = InputRandom();
    rois = MakeRois(shape, random);
    x = Converted(MakeNumbers({shape.images, shape.channels, shape.height, shape.width}, random), type);
    pooled_shape = {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w};
  }
  Array rois, x;
  std::vector<int64_t> pooled_shape;
};

class PoolCall : public WorkerCall {
 public:
  PoolCall(const Shape& shape, DataType type)
      : inputs_(shape, type),
        y_(AllocateArray(type, inputs_.pooled_shape)),
        argmax_(AllocateArray(DataType::kInt32, inputs_.pooled_shape)) {
    args_.x = View(inputs_.x);
    args_.rois = View(inputs_.rois);
    args_.y = MutableView(y_);
    args_.argmax = MutableView(argmax_);
    ThrowIfError(internal::ValidateRoiPool(kFunction, args_, {}, &dims_));
    ThrowIfError(internal::PlanRoiPool(kFunction, args_, {}, dims_, &plan_));
    Reserve();
  }
  void Plan(const internal::Kernel& kernel, const internal::CallKnobs& knobs, int32_t threads) override {
    plan_ = {};
    plan_.dims = dims_;
    plan_.args = args_;
    plan_.kernel = &kernel;
    plan_.threads = threads;
    ThrowIfError(internal::LayOutRoiPool(kFunction, knobs, &plan_));
    Reserve();
  }
  std::string Run() override { return internal::RunRoiPool(kFunction, plan_, workspace_.data.get()).message(); }
  void Poison() override {
    PoisonArray(y_);
    PoisonArray(argmax_);
  }
  void KeepExpected() override {
    expected_y_ = Copied(y_);
    expected_argmax_ = Copied(argmax_);
  }
  std::string Difference() const override {
    const std::string difference = DifferenceOf("argmax", expected_argmax_, argmax_);
    return difference.empty() ? DifferenceOf("y", expected_y_, y_) : difference;
  }
  // Boxes are checked before any kernel is called.
  std::string RefusalProblem(const internal::Kernel& /*kernel*/, const internal::CallKnobs& /*knobs*/) override { return {}; }
  internal::CallSizes sizes() const override { return plan_.sizes(); }

  const Array& argmax() const { return argmax_; }
  const Array& rois() const { return inputs_.rois; }

 private:
  void Reserve() {
    const auto words = static_cast<int64_t>(plan_.workspace.size() / sizeof(int64_t));
    if (workspace_.data == nullptr || ElementCount(workspace_) < words) workspace_ = AllocateArray(DataType::kInt64, {words});
  }

  Inputs inputs_;
  Array y_, argmax_, expected_y_, expected_argmax_, workspace_;
  RoiPoolArgs args_;
  internal::Dims dims_;
  internal::RoiPoolPlan plan_;
};

class GradCall : public WorkerCall {
 public:
  GradCall(const Shape& shape, DataType type) {
    PoolCall forward(shape, DataType::kFloat32);
    forward.Run();
    argmax_ = forward.argmax();
    rois_ = forward.rois();
    std::mt19937 random = InputRandom(1);
    auto* argmax = static_cast<int32_t*>(argmax_.data.get());
    for (int64_t i = 0; i < ElementCount(argmax_); ++i) {
      if (static_cast<double>(random()) < kEmptyShare * 0x1p32 && shape.rois > 1 && i % 1000 < 100) argmax[i] = -1;
    }
    grad_output_ = Converted(MakeNumbers(argmax_.shape, random), type);
    grad_input_ = AllocateArray(type, {shape.images, shape.channels, shape.height, shape.width});
    args_.grad_output = View(grad_output_);
    args_.argmax = View(argmax_);
    args_.rois = View(rois_);
    args_.grad_input = MutableView(grad_input_);
    ThrowIfError(internal::ValidateRoiPoolGrad(kFunction, args_, {}, &dims_));
  }
  void Plan(const internal::Kernel& kernel, const internal::CallKnobs& knobs, int32_t threads) override {
    plan_ = {};
    plan_.dims = dims_;
    plan_.args = args_;
    plan_.kernel = &kernel;
    plan_.threads = threads;
    ThrowIfError(internal::LayOutRoiPoolGrad(kFunction, knobs, &plan_));
    const auto words = static_cast<int64_t>(plan_.workspace.size() / sizeof(int64_t));
    if (workspace_.data == nullptr || ElementCount(workspace_) < words) workspace_ = AllocateArray(DataType::kInt64, {words});
  }
  std::string Run() override { return internal::RunRoiPoolGrad(kFunction, plan_, workspace_.data.get()).message(); }
  void Poison() override { PoisonArray(grad_input_); }
  void KeepExpected() override { expected_ = Copied(grad_input_); }
  std::string Difference() const override { return DifferenceOf("grad_input", expected_, grad_input_); }
  std::string RefusalProblem(const internal::Kernel& kernel, const internal::CallKnobs& knobs) override {
    auto* argmax = static_cast<int32_t*>(argmax_.data.get());
    int32_t& last = argmax[ElementCount(argmax_) - 1];
    const int32_t before = last;
    Plan(kernel, knobs, 1);  // It may throw.
    last = static_cast<int32_t>(dims_.pixels());
    const bool is_refused = !Run().empty();
    last = before;
    return is_refused ? "" : "an argmax of H*W is not refused";
  }
  internal::CallSizes sizes() const override {
    return {dims_.rois, dims_.channels, dims_.bins(), dims_.images, dims_.pixels()};
  }

 private:
  Array argmax_, rois_, grad_output_, grad_input_, expected_, workspace_;
  RoiPoolGradArgs args_;
  internal::Dims dims_;
  internal::RoiPoolGradPlan plan_;
};

}  // namespace

std::unique_ptr<WorkerCall> MakeWorkerCall(Operator op, const Shape& shape, DataType type) {
  if (op == Operator::kRoiPool) return std::make_unique<PoolCall>(shape, type);
  return std::make_unique<GradCall>(shape, type);
}

}  // namespace roipool::cli
