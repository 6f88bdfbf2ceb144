// The acl API's forward on a CUDA device.
#include <cmath>

#include "aclnn_on_cuda.h"
#include "aclnnop/aclnn_roi_pooling_with_arg_max.h"

namespace roipool::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class AclnnPoolOnCuda : public AclnnOnCuda {
 protected:
  // One roi of one image of 2x2 pixels, one channel, 1x2 bins; both phases, and the error of the second.
  aclnnStatus Pool(float x1) {
    std::vector<float> box = {0, x1, 0, 1, 1};
    y_ = Allocate(8), pixels_ = Allocate(8);
    aclTensor* const tensors[] = {DescribeTensor(Upload(std::vector<float>{1, 5, 3, 2}), ACL_FLOAT, {1, 1, 2, 2}),
                                  DescribeTensor(Upload(box), ACL_FLOAT, {1, 5}), DescribeTensor(y_, ACL_FLOAT, {1, 1, 1, 2}),
                                  DescribeTensor(pixels_, ACL_INT32, {1, 1, 1, 2})};
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(
        aclnnRoiPoolingWithArgMaxGetWorkspaceSize(tensors[0], tensors[1], 1, 2, 1, 1, tensors[2], tensors[3], &size, &executor),
        ACLNN_SUCCESS)
        << ErrorText();
    for (const aclTensor* tensor : tensors) EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS) << ErrorText();
    return aclnnRoiPoolingWithArgMax(Allocate(size), size, executor, stream_);
  }

  void *y_ = nullptr, *pixels_ = nullptr;
};

TEST_F(AclnnPoolOnCuda, ComputesInTheStreamsOrder) {
  ASSERT_EQ(Pool(0), 0) << ErrorText();
  std::vector<float> y(2);
  std::vector<int32_t> pixels(2);
  ASSERT_EQ(aclrtMemcpyAsync(y.data(), 8, y_, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(aclrtMemcpyAsync(pixels.data(), 8, pixels_, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream_), ACL_SUCCESS) << ErrorText();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << ErrorText();
  EXPECT_THAT(y, ElementsAre(3, 5));
  EXPECT_THAT(pixels, ElementsAre(2, 1));
}

TEST_F(AclnnPoolOnCuda, BadBoxesAreAnErrorOfWaiting) {
  ASSERT_EQ(Pool(HUGE_VALF), 0) << ErrorText();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(ErrorText(), HasSubstr("rois[0, 1] is inf, a coordinate must be finite"));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "told once";
}

}  // namespace
}  // namespace roipool::test
