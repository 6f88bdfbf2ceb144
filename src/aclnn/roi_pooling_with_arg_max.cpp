// aclnnRoiPoolingWithArgMax: the operator page's rules, then the native forward.
#include "aclnnop/aclnn_roi_pooling_with_arg_max.h"
#include "arguments.h"
#include "device.h"
#include "device_phases.h"
#include "error.h"
#include "op_executor.h"
#include "roi_pool_phases.h"

namespace roipool::aclnn {
namespace {

constexpr const char* kPhase1 = "aclnnRoiPoolingWithArgMaxGetWorkspaceSize";
constexpr const char* kPhase2 = "aclnnRoiPoolingWithArgMax";
constexpr internal::Names kNames1(kPhase1), kNames2(kPhase2, "", "", "workspaceSize");

struct Arguments {
  Argument x, rois, y, argmax;
};

int CheckArguments(Arguments* arguments, int64_t pooled_h, int64_t pooled_w, float spatial_scale_h,
                   float spatial_scale_w) noexcept {
  auto& [x, rois, y, argmax] = *arguments;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &x, {ACL_FLOAT, ACL_FLOAT16}, "FLOAT or FLOAT16"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &rois, {ACL_FLOAT, ACL_FLOAT16}, "FLOAT or FLOAT16"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &y, {x.data_type}, "the type of x"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckType(kPhase1, &argmax, {ACL_INT32}, "INT32"));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, x, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, y, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, argmax, 4));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRank(kPhase1, rois, 2));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckRoiColumns(kPhase1, rois));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, y, 0, rois, 0));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, argmax, 0, rois, 0));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, y, 1, x, 1));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckSameExtent(kPhase1, argmax, 1, x, 1));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckPooledSize(kPhase1, y, "pooled_h", pooled_h, "pooled_w", pooled_w));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckPooledSize(kPhase1, argmax, "pooled_h", pooled_h, "pooled_w", pooled_w));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckScale(kPhase1, "spatial_scale_h", static_cast<double>(spatial_scale_h)));
  return CheckScale(kPhase1, "spatial_scale_w", static_cast<double>(spatial_scale_w));
}

Status Run(const OpExecutor& executor, void* workspace, uint64_t workspace_size, void* device_stream) {
  internal::SetDeviceStream(executor.native.get(), device_stream);
  const BoundTensor* tensors = executor.tensors;
  const Status status = internal::SetRoiPoolData(kNames2, executor.native.get(), tensors[0].data(), tensors[1].data(),
                                                 tensors[2].data(), tensors[3].data());
  return status.ok() ? internal::RunRoiPoolExecutor(kNames2, workspace, workspace_size, executor.native.get()) : status;
}

int Plan(const Arguments& arguments, float spatial_scale_h, float spatial_scale_w, uint64_t* workspace_size,
         aclOpExecutor** handle) {
  Options options;
  options.repeatable = true;  // Which of the two an executor is, its handle decides.
  options.geometry = Geometry::kAclnn;
  AclDevice device;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kPhase1, &device));
  options.device = device.kind;
  options.device_context = device.context;
  RoiPoolArgs args;
  args.x = arguments.x.view;
  args.rois = arguments.rois.view;
  args.spatial_scale_h = spatial_scale_h;
  args.spatial_scale_w = spatial_scale_w;
  args.y = arguments.y.view;
  args.argmax = arguments.argmax.view;
  auto executor = std::make_shared<OpExecutor>();
  executor->is_asynchronous = device.kind != Device::kCpu;
  uint64_t size = 0;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FromPlanning(internal::PlanRoiPoolExecutor(kNames1, args, options, &size, &executor->native)));
  executor->run = Run;
  executor->tensors[0] = arguments.x.bound;
  executor->tensors[1] = arguments.rois.bound;
  executor->tensors[2] = arguments.y.bound;
  executor->tensors[3] = arguments.argmax.bound;
  *handle = AddExecutor(std::move(executor));
  *workspace_size = size;
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclnnStatus aclnnRoiPoolingWithArgMaxGetWorkspaceSize(const aclTensor* x, const aclTensor* rois, int64_t pooled_h,
                                                      int64_t pooled_w, float spatial_scale_h, float spatial_scale_w,
                                                      aclTensor* y, aclTensor* argmax, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
  return Guarded(kPhase1, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&]() -> int {
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ClearResults(kPhase1, workspaceSize, executor));
    Arguments arguments;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"x", x, false}, &arguments.x));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"rois", rois, false}, &arguments.rois));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"y", y, true}, &arguments.y));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadArgument(kPhase1, {"argmax", argmax, true}, &arguments.argmax));
    ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckArguments(&arguments, pooled_h, pooled_w, spatial_scale_h, spatial_scale_w));
    return Plan(arguments, spatial_scale_h, spatial_scale_w, workspaceSize, executor);
  });
}

aclnnStatus aclnnRoiPoolingWithArgMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return RunExecutor(kPhase2, Run, workspace, workspaceSize, executor, stream);
}
