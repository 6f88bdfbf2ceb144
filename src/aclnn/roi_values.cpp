#include "roi_values.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "element_reader.h"
#include "error.h"
#include "tensor_layout.h"

namespace roipool::aclnn {
namespace {

thread_local std::optional<roipoolAclnnRoiLayout> layout_of_thread;

long long Print(int64_t value) { return static_cast<long long>(value); }

}  // namespace

int CurrentRoiLayout(const char* function, roipoolAclnnRoiLayout* layout) noexcept {
  *layout = layout_of_thread.value_or(ROIPOOL_ACLNN_X1X2Y1Y2);
  const char* variable = std::getenv("ROIPOOL_ACLNN_ROI_LAYOUT");
  if (layout_of_thread.has_value() || variable == nullptr || *variable == '\0') return ACLNN_SUCCESS;
  const bool follows_forward = std::strcmp(variable, "x1y1x2y2") == 0;
  ROIPOOL_ACLNN_CHECK(follows_forward || std::strcmp(variable, "x1x2y1y2") == 0, ACLNN_ERR_PARAM_INVALID,
                      "%s: the environment variable ROIPOOL_ACLNN_ROI_LAYOUT is \"%.40s\", must be x1x2y1y2 or x1y1x2y2",
                      function, variable);
  *layout = follows_forward ? ROIPOOL_ACLNN_X1Y1X2Y2 : ROIPOOL_ACLNN_X1X2Y1Y2;
  return ACLNN_SUCCESS;
}

int CheckRoiValues(const char* function, const TensorView& rois, int64_t images, roipoolAclnnRoiLayout layout) noexcept {
  const int x2 = layout == ROIPOOL_ACLNN_X1X2Y1Y2 ? 2 : 3, y1 = layout == ROIPOOL_ACLNN_X1X2Y1Y2 ? 3 : 2;
  const struct {
    const char* rule;
    int low, high;
  } corners[] = {{"x1 < x2", 1, x2}, {"y1 < y2", y1, 4}};
  for (int64_t r = 0; r < rois.shape[0]; ++r) {
    double row[5];
    for (int column = 0; column < 5; ++column) {
      row[column] =
          internal::LoadNumber(static_cast<const std::byte*>(rois.data) +
                                   (r * rois.strides[0] + column * rois.strides[1]) * internal::ElementSize(rois.type),
                               rois.type);
      ROIPOOL_ACLNN_CHECK(row[column] >= 0, ACLNN_ERR_PARAM_INVALID, "%s: rois[%lld, %d] is %.9g, must be at least 0", function,
                          Print(r), column, row[column]);
    }
    ROIPOOL_ACLNN_CHECK(row[0] < static_cast<double>(images) && row[0] == std::floor(row[0]), ACLNN_ERR_PARAM_INVALID,
                        "%s: rois[%lld, 0] is %.9g, the image index must be a whole number in [0, %lld)", function, Print(r),
                        row[0], Print(images));
    for (const auto& corner : corners) {
      ROIPOOL_ACLNN_CHECK(
          row[corner.low] < row[corner.high], ACLNN_ERR_PARAM_INVALID,
          "%s: rois[%lld, %d] is %.9g and rois[%lld, %d] is %.9g, must be %s; rows are read as (image, %s), see "
          "roipoolAclnnSetRoiLayout",
          function, Print(r), corner.low, row[corner.low], Print(r), corner.high, row[corner.high], corner.rule,
          layout == ROIPOOL_ACLNN_X1X2Y1Y2 ? "x1, x2, y1, y2" : "x1, y1, x2, y2");
    }
  }
  return ACLNN_SUCCESS;
}

}  // namespace roipool::aclnn

aclnnStatus roipoolAclnnSetRoiLayout(roipoolAclnnRoiLayout layout) {
  using namespace roipool::aclnn;
  ROIPOOL_ACLNN_CHECK(layout == ROIPOOL_ACLNN_X1X2Y1Y2 || layout == ROIPOOL_ACLNN_X1Y1X2Y2, ACLNN_ERR_PARAM_INVALID,
                      "roipoolAclnnSetRoiLayout: layout is %d, must be 0 (x1x2y1y2) or 1 (x1y1x2y2)", static_cast<int>(layout));
  layout_of_thread = layout;
  return ACLNN_SUCCESS;
}
