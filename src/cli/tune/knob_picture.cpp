#include "knob_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "tune.h"

namespace roipool::cli {
namespace {

constexpr double kPanelWidth = 330, kPanelHeight = 220, kColumnGap = 70, kRowGap = 84;
constexpr size_t kColumns = 3;
constexpr Colour kDot{0.25, 0.45, 0.70}, kAxis{0.75, 0.76, 0.78};
constexpr TextStyle kTickStyle{12, false, kGreyInk};

// Times from the least up to a little above the start's or 1.6 times the best: what is far slower is drawn at the upper rim.
struct Scale {
  double least, most;
  double Y(const Rectangle& panel, double time) const {
    return panel.y + panel.height * (1 - (std::min(time, most) - least) / (most - least));
  }
};

struct Sample {
  double x, time;
  bool is_start, is_best;
};

class KnobPanel {
 public:
  KnobPanel(const TuneResult& result, const CandidateSpace::Knob& knob, const Rectangle& place, const Scale& scale)
      : knob_(knob), place_(place), scale_(scale) {
    for (const Finding& finding : result.findings) {
      if (!finding.problem.empty() || finding.candidate.schedule != result.best.schedule) continue;
      const int value = finding.candidate.knobs.at(knob.name);
      values_.insert({value, 0});
    }
    int place_of_value = 0;
    for (auto& [value, at] : values_) at = place_of_value++;
    for (const Finding& finding : result.findings) {
      if (!finding.problem.empty() || finding.candidate.schedule != result.best.schedule) continue;
      samples_.push_back({X(finding.candidate.knobs.at(knob.name)), finding.nanoseconds, finding.candidate == result.start,
                          finding.candidate == result.best});
    }
  }

  void Draw(cairo_t* context) const {
    DrawText(context, place_.x, place_.y - 14, knob_.name, {16, true, kInk});
    DrawAxes(context);
    DrawBestOfEachValue(context);
    for (const Sample& sample : samples_) {
      const double y = scale_.Y(place_, sample.time);
      if (!sample.is_best && !sample.is_start) DrawDot(context, sample.x, y, 3.2, kDot, 0.45);
    }
    for (const Sample& sample : samples_) {
      const double y = scale_.Y(place_, sample.time);
      if (sample.is_start) DrawDot(context, sample.x, y, 6, kInk, 1);
      if (sample.is_best) DrawDot(context, sample.x, y, 6, kAccent, 1);
    }
  }

 private:
  double X(int value) const {
    const auto count = static_cast<double>(values_.size());
    return place_.x + place_.width * (static_cast<double>(values_.at(value)) + 0.5) / count;
  }

  static void DrawDot(cairo_t* context, double x, double y, double radius, Colour colour, double opacity) {
    cairo_new_path(context);
    cairo_arc(context, x, y, radius, 0, 2 * std::numbers::pi);
    cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, opacity);
    cairo_fill(context);
  }

  void DrawAxes(cairo_t* context) const {
    cairo_set_source_rgb(context, kAxis.red, kAxis.green, kAxis.blue);
    cairo_set_line_width(context, 1);
    constexpr int kTicks = 4;
    for (int tick = 0; tick <= kTicks; ++tick) {
      const double time = scale_.least + (scale_.most - scale_.least) * tick / kTicks, y = scale_.Y(place_, time);
      cairo_move_to(context, place_.x, y);
      cairo_line_to(context, place_.x + place_.width, y);
      cairo_stroke(context);
      DrawText(context, place_.x - 8, y + 4, fmt::format("{:.2f}", time), kTickStyle, Align::kRight);
      cairo_set_source_rgb(context, kAxis.red, kAxis.green, kAxis.blue);
    }
    // Not so many that they would overlap.
    const size_t step = values_.size() / 12 + 1;
    size_t number = 0;
    for (const auto& [value, at] : values_) {
      if (number++ % step != 0) continue;
      DrawText(context, X(value), place_.y + place_.height + 18, std::to_string(value), kTickStyle, Align::kCentre);
    }
  }

  void DrawBestOfEachValue(cairo_t* context) const {
    std::map<double, double> best;
    for (const Sample& sample : samples_) {
      const auto [entry, is_new] = best.try_emplace(sample.x, sample.time);
      entry->second = std::min(entry->second, sample.time);
    }
    cairo_new_path(context);
    for (const auto& [x, time] : best) cairo_line_to(context, x, scale_.Y(place_, time));
    cairo_set_source_rgb(context, kDot.red, kDot.green, kDot.blue);
    cairo_set_line_width(context, 1.6);
    cairo_stroke(context);
  }

  CandidateSpace::Knob knob_;
  Rectangle place_;
  Scale scale_;
  std::map<int, int> values_;  // To their place on the axis.
  std::vector<Sample> samples_;
};

Scale ScaleFor(const TuneResult& result) {
  double least = result.start_nanoseconds, median = least;
  std::vector<double> times;
  for (const Finding& finding : result.findings) {
    if (finding.problem.empty()) times.push_back(finding.nanoseconds);
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) {
    least = times.front();
    median = times[times.size() * 3 / 4];
  }
  return {least * 0.96, std::max({median * 1.1, least * 1.2, std::min(result.start_nanoseconds * 1.05, least * 3)})};
}

}  // namespace

Page DrawKnobs(const TuneResult& result, const CandidateSpace& space) {
  const auto& knobs = space.KnobsOf(result.best.schedule);
  const size_t rows = (knobs.size() + kColumns - 1) / kColumns;
  const double width = kColumns * kPanelWidth + (kColumns - 1) * kColumnGap + 40;
  size_t measured = 0;
  for (const Finding& finding : result.findings) measured += finding.problem.empty() ? 1 : 0;
  Page page(
      fmt::format("{} {} {} on {}: ns per bin over each knob", OperatorName(result.problem.op),
                  DataTypeName(result.problem.type), result.problem.shape_class, IsaName(result.problem.isa)),
      fmt::format("{} candidates that give the reference's bits, {} with {} thread{}. The line joins the best of each value. "
                  "Black: the start; red: the winner, {}. Slower ones lie at the upper rim.",
                  measured, result.best.schedule, result.problem.threads, result.problem.threads == 1 ? "" : "s",
                  Describe(result.best)),
      width, static_cast<double>(rows) * (kPanelHeight + kRowGap));
  const Scale scale = ScaleFor(result);
  for (size_t i = 0; i < knobs.size(); ++i) {
    const size_t row_number = i / kColumns;
    const auto column = static_cast<double>(i % kColumns), row = static_cast<double>(row_number);
    const Rectangle place = {page.content().x + 40 + column * (kPanelWidth + kColumnGap),
                             page.content().y + 34 + row * (kPanelHeight + kRowGap), kPanelWidth, kPanelHeight};
    KnobPanel(result, knobs[i], place, scale).Draw(page.context());
  }
  return page;
}

}  // namespace roipool::cli
