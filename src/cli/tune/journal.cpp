#include "journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "output_file.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

using nlohmann::json;

json HeaderOf(const Problem& problem, const Candidate& start, const Origin& origin) {
  json shapes = json::array();
  for (const Shape& shape : problem.shapes) {
    shapes.push_back(
        {shape.name, shape.images, shape.channels, shape.height, shape.width, shape.rois, shape.pooled_h, shape.pooled_w});
  }
  return {{"row", RowKey(problem)},  {"threads", problem.threads}, {"shapes", shapes},           {"start", Describe(start)},
          {"commit", origin.commit}, {"cpu", origin.cpu},          {"programs", origin.programs}};
}

std::string LineOf(const Finding& finding) {
  return json{{"schedule", finding.candidate.schedule},
              {"knobs", finding.candidate.knobs},
              {"problem", finding.problem},
              {"relative", finding.relative},
              {"ns", finding.nanoseconds}}
             .dump() +
         "\n";
}

}  // namespace

Journal::Journal(std::filesystem::path path, const Problem& problem, const Candidate& start, const Origin& origin)
    : path_(std::move(path)) {
  const json header = HeaderOf(problem, start, origin);
  std::ifstream file(path_);
  std::string line;
  const bool is_same = std::getline(file, line) && json::parse(line, nullptr, false) == header;
  while (is_same && std::getline(file, line)) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) break;  // Cut off as it was written.
    Keep({{entry.at("schedule"), entry.at("knobs")}, entry.at("problem"), entry.at("relative"), entry.at("ns")});
  }
  resumed_ = findings_.size();
  // Written anew, so that a line that was cut off is gone.
  file.close();
  OutputFile output(path_);
  std::ofstream anew(output.temporary_path());
  anew << header.dump() << "\n";
  for (const Finding& finding : findings_) anew << LineOf(finding);
  anew.close();
  if (!anew) throw UserError(fmt::format("cannot write '{}'", path_.string()));
  output.Commit();
}

void Journal::Keep(const Finding& finding) {
  const auto same = [&](const Finding& other) { return other.candidate == finding.candidate; };
  const auto earlier = std::find_if(findings_.begin(), findings_.end(), same);
  if (earlier == findings_.end()) {
    findings_.push_back(finding);
  } else if (earlier->problem.empty() || !finding.problem.empty()) {
    *earlier = finding;
  }
}

void Journal::Add(const Finding& finding) {
  Keep(finding);
  std::ofstream file(path_, std::ios::app);
  file << LineOf(finding);
  file.close();
  if (!file) throw UserError(fmt::format("cannot write '{}'", path_.string()));
}

}  // namespace roipool::cli
