#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "settings.h"

namespace roipool::fake_cuda {

Totals totals;

std::string Format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, format, arguments)), ' ');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

void Say(const std::string& text) { std::fprintf(stderr, "fake_cuda: %s\n", text.c_str()); }

void Warn(const std::string& text) {
  totals.warnings++;
  Say("warning: " + text);
}

void Complain(const std::string& text) {
  totals.errors++;
  Say("ERROR: " + text);
  if (CurrentSettings().abort_on_error) {
    std::fflush(nullptr);
    std::abort();
  }
}

}  // namespace roipool::fake_cuda
