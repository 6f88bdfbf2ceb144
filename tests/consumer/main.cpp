// Pools one roi of a 3x3 map and sends a gradient of ones back, each in two phases. Ends with status 1 unless the result is
// right.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "roipool/kernels.h"
#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"

namespace {

void Require(const roipool::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s: %s\n", roipool::StatusCodeName(status.code()), status.message());
  std::exit(1);
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

std::unique_ptr<void, FreeDeleter> AllocateWorkspace(uint64_t size) {
  const uint64_t alignment = roipool::kWorkspaceAlignment;
  return std::unique_ptr<void, FreeDeleter>(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

}  // namespace

int main() {
  using roipool::DataType;
  const float x[9] = {1, 2, 3, 4, 9, 5, 6, 7, 8};
  const float rois[5] = {0, 0, 0, 2, 2};
  float y[4];
  int32_t argmax[4];
  const float grad_output[4] = {1, 1, 1, 1};
  float grad_input[9];
  uint64_t workspace_size = 0;
  roipool::ExecutorPtr executor;
  const roipool::Options options;

  roipool::RoiPoolArgs pool;
  pool.x = roipool::ContiguousTensor(x, DataType::kFloat32, {1, 1, 3, 3});
  pool.rois = roipool::ContiguousTensor(rois, DataType::kFloat32, {1, 5});
  pool.y = roipool::ContiguousTensor(y, DataType::kFloat32, {1, 1, 2, 2});
  pool.argmax = roipool::ContiguousTensor(argmax, DataType::kInt32, {1, 1, 2, 2});
  Require(roipool::RoiPoolGetWorkspaceSize(pool, options, &workspace_size, &executor));
  Require(roipool::RoiPool(AllocateWorkspace(workspace_size).get(), workspace_size, executor.get()));

  roipool::RoiPoolGradArgs grad;
  grad.grad_output = roipool::ContiguousTensor(grad_output, DataType::kFloat32, {1, 1, 2, 2});
  grad.argmax = pool.argmax;
  grad.rois = pool.rois;
  grad.grad_input = roipool::ContiguousTensor(grad_input, DataType::kFloat32, {1, 1, 3, 3});
  Require(roipool::RoiPoolGradGetWorkspaceSize(grad, options, &workspace_size, &executor));
  const auto workspace = AllocateWorkspace(workspace_size);
  Require(roipool::RoiPoolGrad(workspace.get(), workspace_size, executor.get()));

  std::printf("roipool %s, %s:", roipool::Version(), roipool::KernelName(*executor));
  for (float value : grad_input) std::printf(" %g", value);
  std::printf("\n");

  // Every bin's largest value is the 9 in the middle, so all four ones land there.
  const float expected[9] = {0, 0, 0, 0, 4, 0, 0, 0, 0};
  const bool right = std::all_of(y, y + 4, [](float value) { return value == 9; }) &&
                     std::all_of(argmax, argmax + 4, [](int32_t pixel) { return pixel == 4; }) &&
                     std::equal(grad_input, grad_input + 9, expected);
  if (!right) std::fprintf(stderr, "the gradient is wrong: expected 4 in the middle and 0 elsewhere\n");
  return right ? 0 : 1;
}
