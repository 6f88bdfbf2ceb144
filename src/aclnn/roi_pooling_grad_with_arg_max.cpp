// aclnnRoiPoolingGradWithArgMax: the operator page's rules, then the native gradient.
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"
#include "arguments.h"
#include "device.h"
#include "device_phases.h"
#include "error.h"
#include "op_executor.h"
#include "roi_pool_grad_phases.h"
#include "roi_values.h"

namespace roipool::aclnn {
namespace {

constexpr const char* kPhase1 = "aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize";
constexpr const char* kPhase2 = "aclnnRoiPoolingGradWithArgMax";
constexpr internal::Names kNames1(kPhase1, "gradOutput", "gradInputRef", "workspaceSize");
constexpr internal::Names kNames2(kPhase2, "gradOutput", "gradInputRef", "workspaceSize");
constexpr int64_t kMostRois = 1024;

struct Arguments {
  Argument grad_output, grad_input, rois, argmax;
};

// The page's constraints (1) to (10) but those on values; the numbers are the page's.
int CheckArguments(Arguments* arguments, int64_t pooled_h, int64_t pooled_w, double spatial_scale) noexcept {
  auto& [grad_output, grad_input, rois, argmax] = *arguments;
  // (1), (2): argmax is an index, so INT32 stands where the page asks for the type of gradOutput; see the README's errata.
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &grad_output, {ACL_FLOAT, ACL_FLOAT16}, "FLOAT or FLOAT16"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &grad_input, {grad_output.data_type}, "the type of gradOutput"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &rois, {ACL_FLOAT, ACL_FLOAT16}, "FLOAT or FLOAT16"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(
      CheckType(kPhase1, &argmax, {ACL_INT32, ACL_INT64, grad_output.data_type}, "INT32, INT64 or the type of gradOutput"));
  // (3)
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, grad_output, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, argmax, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, grad_input, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, rois, 2));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRoiColumns(kPhase1, rois));
  // (4), (5)
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, argmax, 0, grad_output, 0));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, rois, 0, grad_output, 0));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, argmax, 1, grad_output, 1));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, grad_input, 1, grad_output, 1));
  // (6), (8)
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckPooledSize(kPhase1, grad_output, "pooledH", pooled_h, "pooledW", pooled_w));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckPooledSize(kPhase1, argmax, "pooledH", pooled_h, "pooledW", pooled_w));
  // (10)
  ROIPOOL_ACLNN_CHECK(rois.view.shape[0] <= kMostRois, ACLNN_ERR_PARAM_INVALID,
                      "%s: rois.shape[0] is %lld, must be at most %lld; split the call", kPhase1,
                      static_cast<long long>(rois.view.shape[0]), static_cast<long long>(kMostRois));
  return CheckScale(kPhase1, "spatialScale", spatial_scale);
}

// (7), (9), and the image index.
int CheckValues(const Arguments& arguments) noexcept {
  roipoolAclnnRoiLayout layout;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CurrentRoiLayout(kPhase1, &layout));
  const TensorView rois = arguments.rois.view;
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kPhase1, &device));
  // A GPU's memory is not read here; the image index is checked by phase 2.
  if (rois.data == nullptr || rois.shape[0] == 0 || device.kind != Device::kCpu) return ACLNN_SUCCESS;
  return CheckRoiValues(kPhase1, rois, arguments.grad_input.view.shape[0], layout);
}

Status Run(const OpExecutor& executor, void* workspace, uint64_t workspace_size, void* device_stream) {
  internal::SetDeviceStream(executor.native.get(), device_stream);
  const BoundTensor* tensors = executor.tensors;
  const Status status = internal::SetRoiPoolGradData(kNames2, executor.native.get(), tensors[0].data(), tensors[3].data(),
                                                     tensors[2].data(), tensors[1].data());
  return status.ok() ? internal::RunRoiPoolGradExecutor(kNames2, workspace, workspace_size, executor.native.get()) : status;
}

int Plan(Arguments* arguments, uint64_t* workspace_size, aclOpExecutor** handle) {
  Options options;
  options.repeatable = true;  // Which of the two an executor is, its handle decides.
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kPhase1, &device));
  options.device = device.kind;
  options.device_context = device.context;
  auto executor = std::make_shared<OpExecutor>();
  executor->is_asynchronous = device.kind != Device::kCpu;
  const RoiPoolGradArgs args = {arguments->grad_output.view, arguments->argmax.view, arguments->rois.view,
                                arguments->grad_input.view};
  uint64_t size = 0;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(
      FromPlanning(internal::PlanRoiPoolGradExecutor(kNames1, args, options, &size, &executor->native)));
  executor->run = Run;
  executor->tensors[0] = arguments->grad_output.bound;
  executor->tensors[1] = arguments->grad_input.bound;
  executor->tensors[2] = arguments->rois.bound;
  executor->tensors[3] = arguments->argmax.bound;
  *handle = AddExecutor(std::move(executor));
  *workspace_size = size;
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclnnStatus aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* gradInputRef,
                                                          const aclTensor* rois, const aclTensor* argmax, int64_t pooledH,
                                                          int64_t pooledW, double spatialScale, uint64_t* workspaceSize,
                                                          aclOpExecutor** executor) {
  return Guarded(kPhase1, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&]() -> int {
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ClearResults(kPhase1, workspaceSize, executor));
    Arguments arguments;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"gradOutput", gradOutput, false}, &arguments.grad_output));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"gradInputRef", gradInputRef, true}, &arguments.grad_input));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"rois", rois, false}, &arguments.rois));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"argmax", argmax, false}, &arguments.argmax));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckArguments(&arguments, pooledH, pooledW, spatialScale));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckValues(arguments));
    return Plan(&arguments, workspaceSize, executor);
  });
}

aclnnStatus aclnnRoiPoolingGradWithArgMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                          aclrtStream stream) {
  return RunExecutor(kPhase2, Run, workspace, workspaceSize, executor, stream);
}
