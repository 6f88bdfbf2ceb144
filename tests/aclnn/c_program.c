/* The C API from C: declared, linked, and the same numbers. */
#include <stdio.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_roi_pooling_grad_with_arg_max.h"
#include "aclnnop/aclnn_roi_pooling_with_arg_max.h"

static aclTensor *dense(const int64_t *shape, uint64_t rank, aclDataType type, void *data) {
  return aclCreateTensor(shape, rank, type, NULL, 0, ACL_FORMAT_ND, shape, rank, data);
}

int main(void) {
  const int64_t bins_shape[4] = {1, 1, 1, 2}, map_shape[4] = {1, 1, 1, 3}, rois_shape[2] = {1, 5};
  float grad_output[2] = {1.0f, 2.0f}, grad_input[3] = {9.0f, 9.0f, 9.0f}, rois[5] = {0.0f, 0.0f, 1.0f, 0.0f, 1.0f};
  int32_t argmax[2] = {2, 2};
  aclTensor *tensors[4];
  uint64_t workspace_size = 0;
  aclOpExecutor *executor = NULL;
  void *workspace = NULL;
  int code, i;

  tensors[0] = dense(bins_shape, 4, ACL_FLOAT, grad_output);
  tensors[1] = dense(map_shape, 4, ACL_FLOAT, grad_input);
  tensors[2] = dense(rois_shape, 2, ACL_FLOAT, rois);
  tensors[3] = dense(bins_shape, 4, ACL_INT32, argmax);
  code = aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(tensors[0], tensors[1], tensors[2], tensors[3], 1, 2, 1.0, &workspace_size,
                                                       &executor);
  if (code == ACLNN_SUCCESS) code = aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (code == ACLNN_SUCCESS) code = aclnnRoiPoolingGradWithArgMax(workspace, workspace_size, executor, NULL);
  if (code != ACLNN_SUCCESS) printf("%d: %s\n", code, aclGetRecentErrMsg());
  if (workspace != NULL) aclrtFree(workspace);
  for (i = 0; i < 4; ++i) aclDestroyTensor(tensors[i]);
  return code == ACLNN_SUCCESS && grad_input[0] == 0.0f && grad_input[1] == 0.0f && grad_input[2] == 3.0f ? 0 : 1;
}
