#include "help_formatter.h"

#include <fmt/format.h>

#include <sstream>

namespace roipool::cli {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kDescriptionColumn = 32;

std::string Wrap(const std::string& text, size_t width) {
  std::string wrapped;
  size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool breaks = column > 0 && column + 1 + word.size() > width;
    if (column > 0) wrapped += breaks ? '\n' : ' ';
    wrapped += word;
    column = (breaks || column == 0 ? 0 : column + 1) + word.size();
  }
  return wrapped;
}

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kDescriptionColumn); }

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  // CLI11 appends what a check allows, after a colon. A range would be too long here; a choice stands for itself.
  const std::string type = option->get_type_name();
  const size_t colon = type.find(':');
  const std::string shown = colon == 0 ? type.substr(1) : type.substr(0, colon);
  return shown.empty() ? "" : " " + shown;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string description = option->get_description();
  if (option->get_required()) description += " (required)";
  if (!option->get_default_str().empty()) description += fmt::format(" (default: {})", option->get_default_str());
  return Wrap(description, kColumns - kDescriptionColumn);
}

}  // namespace roipool::cli
