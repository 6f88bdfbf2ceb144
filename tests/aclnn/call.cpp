#include "call.h"

namespace roipool::test {

aclTensor* TensorSpec::Create() const {
  const std::vector<int64_t>& storage_dims = storage.empty() ? shape : storage;
  return aclCreateTensor(shape.data(), shape.size(), type, strides.empty() ? nullptr : strides.data(), offset, format,
                         storage_dims.data(), storage_dims.size(), data);
}

Outcome Observe(int code) {
  const char* text = aclGetRecentErrMsg();
  return {code, text == nullptr ? "" : text};
}

GradCall::GradCall()
    : grad_output_values(4 * 3 * 2 * 2, 1.0f),
      grad_input_values(2 * 3 * 3 * 5, 77.0f),
      // (image, x1, x2, y1, y2), so that neither layout of the columns suits both checks by chance.
      rois_values{0, 0, 4, 1, 2, 1, 0, 1, 0, 1, 1, 2, 3, 1, 2, 0, 1, 2, 0, 2},
      argmax_values(4 * 3 * 2 * 2, 7),
      grad_output{{4, 3, 2, 2}},
      grad_input{{2, 3, 3, 5}},
      rois{{4, 5}},
      argmax{{4, 3, 2, 2}, ACL_INT32} {
  grad_output.data = grad_output_values.data();
  grad_input.data = grad_input_values.data();
  rois.data = rois_values.data();
  argmax.data = argmax_values.data();
}

Outcome GradCall::Plan() {
  const ScopedTensor tensors[] = {ScopedTensor(grad_output), ScopedTensor(grad_input), ScopedTensor(rois),
                                  ScopedTensor(argmax)};
  return Observe(aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(tensors[0].get(), tensors[1].get(), tensors[2].get(),
                                                               tensors[3].get(), pooled_h, pooled_w, spatial_scale,
                                                               &workspace_size, &executor));
}

Outcome GradCall::Run() {
  void* workspace = nullptr;
  if (workspace_size > 0) aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST);
  const Outcome outcome = Observe(aclnnRoiPoolingGradWithArgMax(workspace, workspace_size, executor, nullptr));
  if (workspace != nullptr) aclrtFree(workspace);
  return outcome;
}

}  // namespace roipool::test
