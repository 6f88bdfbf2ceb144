#include "journal.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "user_error.h"

namespace roipool::cli {
namespace {

using nlohmann::json;

json HeaderOf(const Problem& problem, const Candidate& start, const std::string& commit) {
  json shapes = json::array();
  for (const Shape& shape : problem.shapes) {
    shapes.push_back(
        {shape.name, shape.images, shape.channels, shape.height, shape.width, shape.rois, shape.pooled_h, shape.pooled_w});
  }
  return {{"row", RowKey(problem)},
          {"threads", problem.threads},
          {"shapes", shapes},
          {"start", Describe(start)},
          {"commit", commit}};
}

}  // namespace

Journal::Journal(std::filesystem::path path, const Problem& problem, const Candidate& start, const std::string& commit)
    : path_(std::move(path)) {
  const json header = HeaderOf(problem, start, commit);
  std::ifstream file(path_);
  std::string line;
  const bool is_same = std::getline(file, line) && json::parse(line, nullptr, false) == header;
  while (is_same && std::getline(file, line)) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) break;  // Cut off as it was written.
    findings_.push_back({{entry.at("schedule"), entry.at("knobs")}, entry.at("problem"), entry.at("relative"), entry.at("ns")});
  }
  resumed_ = findings_.size();
  // Written anew, so that a line that was cut off is gone.
  const std::vector<Finding> kept = std::move(findings_);
  findings_.clear();
  file.close();
  std::ofstream anew(path_, std::ios::trunc);
  anew << header.dump() << "\n" << std::flush;
  if (!anew) throw UserError(fmt::format("cannot write '{}'", path_.string()));
  for (const Finding& finding : kept) Add(finding);
}

void Journal::Add(const Finding& finding) {
  findings_.push_back(finding);
  std::ofstream file(path_, std::ios::app);
  file << json{{"schedule", finding.candidate.schedule},
               {"knobs", finding.candidate.knobs},
               {"problem", finding.problem},
               {"relative", finding.relative},
               {"ns", finding.nanoseconds}}
              .dump()
       << "\n";
}

}  // namespace roipool::cli
