// A program in the usual form of the aclnn operators: four tensors on the device, both phases, the result back on the host.
// Nothing in it is particular to roipool.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"

namespace {

// Gives up with the API's own text if a call failed.
bool Succeeded(int code, const char* call) {
  if (code == ACL_SUCCESS) return true;
  const char* text = aclGetRecentErrMsg();
  std::printf("%s failed with %d: %s\n", call, code, text == nullptr ? "no text" : text);
  return false;
}

// A tensor together with its memory on the device.
struct DeviceTensor {
  void* memory = nullptr;
  aclTensor* tensor = nullptr;

  ~DeviceTensor() {
    if (tensor != nullptr) aclDestroyTensor(tensor);
    if (memory != nullptr) aclrtFree(memory);
  }

  template <typename T>
  bool Create(const std::vector<T>& values, const std::vector<int64_t>& shape, aclDataType type) {
    const size_t bytes = values.size() * sizeof(T);
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * shape[d];
    if (!Succeeded(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc") ||
        !Succeeded(aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy")) {
      return false;
    }
    tensor =
        aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, shape.data(), shape.size(), memory);
    return tensor != nullptr;
  }
};

size_t ElementCount(const std::vector<int64_t>& shape) {
  return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>()));
}

bool ComputeAndPrint(aclrtStream stream) {
  const std::vector<int64_t> bins_shape = {1, 32, 2, 2}, map_shape = {4, 32, 3, 3}, rois_shape = {1, 5};
  DeviceTensor grad_output, grad_input, rois, argmax;
  if (!grad_output.Create(std::vector<float>(ElementCount(bins_shape), 1.0f), bins_shape, ACL_FLOAT) ||
      !grad_input.Create(std::vector<float>(ElementCount(map_shape), 1.0f), map_shape, ACL_FLOAT) ||
      !rois.Create(std::vector<float>{0, 0, 1, 0, 1}, rois_shape, ACL_FLOAT) ||
      !argmax.Create(std::vector<int32_t>(ElementCount(bins_shape), 3), bins_shape, ACL_INT32)) {
    return false;
  }

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  if (!Succeeded(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(grad_output.tensor, grad_input.tensor, rois.tensor,
                                                               argmax.tensor, 2, 2, 1.0, &workspace_size, &executor),
                 "aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize")) {
    return false;
  }
  void* workspace = nullptr;
  if (workspace_size > 0 && !Succeeded(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc"))
    return false;
  const bool computed =
      Succeeded(aclnnRoiPoolingGradWithArgMax(workspace, workspace_size, executor, stream), "aclnnRoiPoolingGradWithArgMax") &&
      Succeeded(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  if (workspace != nullptr) aclrtFree(workspace);
  if (!computed) return false;

  std::vector<float> result(ElementCount(map_shape));
  const size_t bytes = result.size() * sizeof(float);
  if (!Succeeded(aclrtMemcpy(result.data(), bytes, grad_input.memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy"))
    return false;
  const size_t pixels = 9, channels = 32;
  for (size_t plane = 0; plane < result.size() / pixels; ++plane) {
    std::printf("image %zu channel %2zu:", plane / channels, plane % channels);
    for (size_t pixel = 0; pixel < pixels; ++pixel) std::printf(" %.1f", static_cast<double>(result[plane * pixels + pixel]));
    std::printf("\n");
  }
  return true;
}

}  // namespace

int main() {
  constexpr int32_t kDevice = 0;
  aclrtStream stream = nullptr;
  if (!Succeeded(aclInit(nullptr), "aclInit") || !Succeeded(aclrtSetDevice(kDevice), "aclrtSetDevice") ||
      !Succeeded(aclrtCreateStream(&stream), "aclrtCreateStream")) {
    return 1;
  }
  const bool done = ComputeAndPrint(stream);
  aclrtDestroyStream(stream);
  aclrtResetDevice(kDevice);
  aclFinalize();
  return done ? 0 : 1;
}
