#include "demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "box_finder.h"
#include "feature_map.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

// The gradient of L = 1/2 sum(y^2) over the edge channels is y there, and 0 for the colours.
Array EdgeLossGradient(const Array& y) {
  Array gradient = AllocateArray(y.type, y.shape);
  const auto* from = static_cast<const float*>(y.data.get());
  auto* to = static_cast<float*>(gradient.data.get());
  const int64_t bins = y.shape[2] * y.shape[3];
  for (int64_t i = 0; i < ElementCount(y); ++i) to[i] = i / bins % y.shape[1] < kColourChannels ? 0.0f : from[i];
  return gradient;
}

// The first box that is about square and whose bins are large enough to see; without one, the one that is least far from it.
int ChooseShownBox(const std::vector<Box>& boxes, const DemoRequest& request) {
  constexpr float kClearPixels = 2.5f;  // Of the map, along one side of a bin.
  constexpr float kAspectRatio = 1.6f;
  int best = 0;
  float best_fitness = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const float width = boxes[i].x2 - boxes[i].x1;
    const float height = boxes[i].y2 - boxes[i].y1;
    const float bin_side =
        std::min(width / static_cast<float>(request.pooled_w), height / static_cast<float>(request.pooled_h));
    const float aspect_ratio = std::max(width, height) / std::min(width, height);
    const float fitness =
        std::min(bin_side / (kClearPixels * kFeatureStride), 1.0f) * std::min(kAspectRatio / aspect_ratio, 1.0f);
    if (fitness > best_fitness) best = static_cast<int>(i);
    best_fitness = std::max(fitness, best_fitness);
  }
  return best;
}

// The channel of unblurred edges that gives the box the largest gradient.
int ChooseShownChannel(const Array& grad_output, int box) {
  const int64_t channels = grad_output.shape[1];
  const int64_t bins = grad_output.shape[2] * grad_output.shape[3];
  const float* values = static_cast<const float*>(grad_output.data.get()) + box * channels * bins;
  int best = kColourChannels;
  double best_sum = -1;
  for (int channel = kColourChannels; channel < kColourChannels + kOrientations; ++channel) {
    double sum = 0;
    for (int64_t bin = 0; bin < bins; ++bin) sum += values[channel * bins + bin];
    if (sum > best_sum) best = channel;
    best_sum = std::max(best_sum, sum);
  }
  return best;
}

void FillSums(const DemoData& data, DemoChecks* checks) {
  const auto* grad_output = static_cast<const float*>(data.grad_output.data.get());
  const auto* argmax = static_cast<const int32_t*>(data.argmax.data.get());
  const auto* grad_input = static_cast<const float*>(data.grad_input.data.get());
  double magnitude = 0;
  for (int64_t i = 0; i < ElementCount(data.argmax); ++i) {
    if (argmax[i] < 0) {
      ++checks->empty_bins;
      continue;
    }
    checks->grad_output_sum += grad_output[i];
    magnitude += std::abs(grad_output[i]);
  }
  for (int64_t i = 0; i < ElementCount(data.grad_input); ++i) checks->grad_input_sum += grad_input[i];
  // No pixel can be chosen by more bins than one channel has.
  const auto most_terms = static_cast<double>(data.argmax.shape[0] * data.argmax.shape[2] * data.argmax.shape[3]);
  checks->tolerance = std::ldexp(most_terms, -24) * magnitude;
}

void CompareBits(const DemoData& data, const Array& rois, const Options& options, DemoChecks* checks) {
  Options other = options;
  other.threads = 1;
  other.schedule = "reference";
  const Gradient gradient = PoolGradient(data.grad_output, data.argmax, rois, data.features.shape, other);
  checks->other_kernel = gradient.report.kernel;
  const auto bytes = static_cast<size_t>(ElementCount(gradient.grad_input) * ElementSize(gradient.grad_input.type));
  checks->same_bits = std::memcmp(gradient.grad_input.data.get(), data.grad_input.data.get(), bytes) == 0;
}

void FillBoxes(const DemoRequest& request, DemoData* data) {
  if (!request.boxes.empty()) {
    data->boxes = LoadBoxes(request.boxes, data->photograph.width, data->photograph.height);
    data->boxes_origin = fmt::format("from {}", std::filesystem::path(request.boxes).filename().string());
  } else {
    data->boxes = FindBoxes(data->features, request.box_count);
    data->boxes_origin = "found by the demo where edges are stronger than around";
    if (data->boxes.empty()) {
      throw UserError(fmt::format("no edges found in '{}' to put boxes on; give boxes with --boxes FILE.csv", request.image));
    }
  }
  if (request.shown_box >= static_cast<int>(data->boxes.size())) {
    throw UserError(
        fmt::format("--show-box is {}, must be at most {}, the number of boxes", request.shown_box + 1, data->boxes.size()));
  }
}

}  // namespace

bool DemoChecks::SumsAgree() const { return std::abs(grad_output_sum - grad_input_sum) <= tolerance; }

DemoResult ComputeDemo(const DemoRequest& request, const Options& options, Progress* progress) {
  DemoResult result;
  DemoData& data = result.data;
  progress->SetStep("reading the photograph");
  data.photograph = LoadPhotograph(request.image);
  data.picture_name = std::filesystem::path(request.image).filename().string();
  progress->SetStep("making feature maps");
  data.features = MakeFeatureMap(data.photograph);
  progress->SetStep("choosing boxes");
  FillBoxes(request, &data);
  const Array rois = BoxesToRois(data.boxes);
  progress->SetStep("pooling");
  const float scale = 1.0f / kFeatureStride;
  Pooled pooled = Pool(data.features, rois, {request.pooled_h, request.pooled_w, scale, scale}, options);
  data.y = pooled.y;
  data.argmax = pooled.argmax;
  result.pool = pooled.report;
  progress->SetStep("computing the gradient");
  data.grad_output = EdgeLossGradient(data.y);
  Gradient gradient = PoolGradient(data.grad_output, data.argmax, rois, data.features.shape, options);
  data.grad_input = gradient.grad_input;
  result.gradient = gradient.report;
  progress->SetStep("checking the gradient");
  FillSums(data, &result.checks);
  CompareBits(data, rois, options, &result.checks);
  data.shown_box = request.shown_box >= 0 ? request.shown_box : ChooseShownBox(data.boxes, request);
  data.shown_channel =
      request.shown_channel >= 0 ? request.shown_channel : ChooseShownChannel(data.grad_output, data.shown_box);
  return result;
}

}  // namespace roipool::cli
