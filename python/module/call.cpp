#include "call.h"

#include <roipool/roi_pool.h>
#include <roipool/roi_pool_grad.h>

#include <array>
#include <string_view>
#include <utility>

#include "raise.h"

namespace roipool::python {
namespace {

namespace nb = nanobind;

template <typename Value>
struct Choice {
  const char* name;
  Value value;
};

template <typename Value, size_t kCount>
Value Choose(const char* option, std::string_view wanted, const std::array<Choice<Value>, kCount>& choices) {
  std::string text = std::string(option) + ": is '" + std::string(wanted) + "', not one of";
  for (const Choice<Value>& choice : choices) {
    if (choice.name == wanted) return choice.value;
    text.append(&choice == choices.data() ? " '" : ", '").append(choice.name).append("'");
  }
  throw nb::value_error(text.c_str());
}

constexpr std::array<Choice<Isa>, 3> kIsas = {{{"baseline", Isa::kBaseline}, {"avx2", Isa::kAvx2}, {"avx512", Isa::kAvx512}}};
constexpr std::array<Choice<Accumulation>, 2> kAccumulations = {
    {{"float", Accumulation::kFloat}, {"fixed_point", Accumulation::kFixedPoint}}};
constexpr std::array<Choice<Geometry>, 2> kGeometries = {
    {{"torchvision", Geometry::kTorchvision}, {"aclnn", Geometry::kAclnn}}};
constexpr std::array<Choice<RoiLayout>, 2> kRoiLayouts = {
    {{"x1y1x2y2", RoiLayout::kX1Y1X2Y2}, {"x1x2y1y2", RoiLayout::kX1X2Y1Y2}}};
constexpr std::array<Choice<Device>, 3> kDevices = {
    {{"cpu", Device::kCpu}, {"cuda", Device::kCuda}, {"opencl", Device::kOpenCl}}};

}  // namespace

CallOptions::CallOptions(int32_t threads, std::string schedule, const std::string& max_isa, const std::string& accumulation,
                         const std::string& geometry, const std::string& roi_layout, const std::string& device,
                         uintptr_t stream)
    : schedule_(std::move(schedule)) {
  options_.threads = threads;
  options_.max_isa = Choose("max_isa", max_isa, kIsas);
  options_.accumulation = Choose("accumulation", accumulation, kAccumulations);
  options_.geometry = Choose("geometry", geometry, kGeometries);
  options_.roi_layout = Choose("roi_layout", roi_layout, kRoiLayouts);
  options_.device = Choose("device", device, kDevices);
  options_.device_stream = reinterpret_cast<void*>(stream);
}

Options CallOptions::Get() const noexcept {
  Options options = options_;
  options.schedule = schedule_.empty() ? nullptr : schedule_.c_str();
  return options;
}

Call Call::RoiPool(const Tensor& x, const Tensor& rois, const Tensor& y, const Tensor& argmax, float spatial_scale_h,
                   float spatial_scale_w, const CallOptions& options) {
  Call call({x, rois, y, argmax}, roipool::RoiPool);
  const RoiPoolArgs args = {.x = x.view(),
                            .rois = rois.view(),
                            .spatial_scale_h = spatial_scale_h,
                            .spatial_scale_w = spatial_scale_w,
                            .y = y.view(),
                            .argmax = argmax.view()};
  RaiseUnlessOk(RoiPoolGetWorkspaceSize(args, options.Get(), &call.workspace_size_, &call.executor_));
  return call;
}

Call Call::RoiPoolGrad(const Tensor& grad_output, const Tensor& argmax, const Tensor& rois, const Tensor& grad_input,
                       const CallOptions& options) {
  Call call({grad_output, argmax, rois, grad_input}, roipool::RoiPoolGrad);
  const RoiPoolGradArgs args = {
      .grad_output = grad_output.view(), .argmax = argmax.view(), .rois = rois.view(), .grad_input = grad_input.view()};
  RaiseUnlessOk(RoiPoolGradGetWorkspaceSize(args, options.Get(), &call.workspace_size_, &call.executor_));
  return call;
}

void Call::Run(Workspace* workspace) {
  Status status;
  {
    const nb::gil_scoped_release unlocked;
    Workspace own;
    const Workspace::Lease lease = (workspace != nullptr ? *workspace : own).Take(workspace_size_);
    status = phase_2_(lease.data(), workspace_size_, executor_.get());
  }
  RaiseUnlessOk(status);
}

void Call::RunAt(uintptr_t address, uint64_t size) {
  Status status;
  {
    const nb::gil_scoped_release unlocked;
    status = phase_2_(reinterpret_cast<void*>(address), size, executor_.get());
  }
  RaiseUnlessOk(status);
}

void Call::Synchronize() {
  Status status;
  {
    const nb::gil_scoped_release unlocked;
    status = roipool::Synchronize(executor_.get());
  }
  RaiseUnlessOk(status);
}

}  // namespace roipool::python
