// The pictures that the demo draws.
#ifndef ROIPOOL_CLI_PICTURES_H_
#define ROIPOOL_CLI_PICTURES_H_

#include <string>
#include <vector>

#include "array.h"
#include "boxes.h"
#include "drawing.h"
#include "photograph.h"

namespace roipool::cli {

/// What one run of the demo has made.
struct DemoData {
  std::string picture_name;
  Photograph photograph;
  Array features;            ///< (1, C, H, W)
  std::string boxes_origin;  ///< Where the boxes come from, e.g. "found in the feature map".
  std::vector<Box> boxes;
  Array y;  ///< (R, C, PH, PW), as the next two.
  Array argmax;
  Array grad_output;
  Array grad_input;       ///< (1, C, H, W)
  int shown_box = 0;      ///< The box that is enlarged.
  int shown_channel = 0;  ///< The channel whose choices are shown there.
};

/// The photograph with its boxes.
Page DrawBoxes(const DemoData& data);

/// Every channel of the feature map, small.
Page DrawFeatures(const DemoData& data);

/// Where in the photograph the gradient landed: a heat map over the greyed photograph.
Page DrawGradient(const DemoData& data);

/// The shown box enlarged, with its bins and the pixel that each bin chose in the shown channel.
Page DrawBins(const DemoData& data);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_PICTURES_H_
