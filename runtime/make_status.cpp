#include "make_status.h"

#include <cstdarg>
#include <cstdio>

namespace roipool::internal {

Status MakeStatus(StatusCode code, const char* format, ...) noexcept {
  char text[Status::kMaxMessage + 1];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return Status(code, text);
}

}  // namespace roipool::internal
