// The demo's computation: from a photograph to the gradient, with checks that a person can trust.
#ifndef ROIPOOL_CLI_DEMO_H_
#define ROIPOOL_CLI_DEMO_H_

#include <string>
#include <vector>

#include "pictures.h"
#include "pooling.h"
#include "progress.h"
#include "roipool/options.h"

namespace roipool::cli {

struct DemoRequest {
  std::string image;
  std::string boxes;  ///< A CSV file; empty: found in the feature map.
  int box_count = 32;
  int64_t pooled_h = 7;
  int64_t pooled_w = 7;
  int shown_box = -1;      ///< From 0; below 0: chosen by the demo.
  int shown_channel = -1;  ///< The same.
};

/// What must hold between the results.
struct DemoChecks {
  double grad_output_sum = 0;  ///< Over the bins that are not empty.
  double grad_input_sum = 0;
  double tolerance = 0;  ///< By which the sums may differ, as every addition is rounded.
  int64_t empty_bins = 0;
  std::string other_kernel;  ///< Computed the gradient once more, with one thread.
  bool same_bits = false;

  bool SumsAgree() const;
};

struct DemoResult {
  DemoData data;
  CallReport pool;
  CallReport gradient;
  DemoChecks checks;
};

/// Does everything but the pictures. Throws UserError for bad input.
DemoResult ComputeDemo(const DemoRequest& request, const Options& options, Progress* progress);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_DEMO_H_
