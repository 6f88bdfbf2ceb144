// How the program's help looks.
#ifndef ROIPOOL_CLI_HELP_FORMATTER_H_
#define ROIPOOL_CLI_HELP_FORMATTER_H_

#include <CLI/CLI.hpp>
#include <string>

namespace roipool::cli {

/// CLI11's help, with the default and "required" in the description, which is wrapped.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_HELP_FORMATTER_H_
