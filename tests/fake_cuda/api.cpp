#include "api.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "driver_state.h"
#include "fake_cuda.h"
#include "lexer.h"
#include "report.h"
#include "settings.h"
#include "streams.h"

namespace roipool::fake_cuda {
namespace {

constexpr size_t kMaxLog = 64 << 20;

ApiFunction* first_function = nullptr;
bool environment_read = false;

[[noreturn]] void Refuse(const std::string& text) {
  Say(text);
  std::_Exit(2);
}

bool IsNumber(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

// One failure of FAKE_CUDA_FAIL: FUNCTION:NTH:STATUS.
void ReadFailure(const std::string& text) {
  const size_t first = text.find(':'), second = first == std::string::npos ? first : text.find(':', first + 1);
  const std::string name = text.substr(0, first);
  if (second == std::string::npos) Refuse("FAKE_CUDA_FAIL: " + text + " is not FUNCTION:NTH:STATUS");
  const std::string nth = text.substr(first + 1, second - first - 1), status = text.substr(second + 1);
  const bool every_call = nth == "*";
  if ((!every_call && (!IsNumber(nth) || std::stoi(nth) == 0)) || !IsNumber(status))
    Refuse("FAKE_CUDA_FAIL: " + text + " is not FUNCTION:NTH:STATUS");
  ApiFunction* function = ApiFunction::Find(name);
  if (function == nullptr) Refuse("FAKE_CUDA_FAIL: there is no function " + name);
  function->failures.push_back({every_call, every_call ? 0 : std::stoi(nth), std::stoi(status)});
}

void ReadFailures() {
  environment_read = true;
  if (CurrentSettings().fail.empty()) return;
  for (const std::string& failure : Split(CurrentSettings().fail, ',')) ReadFailure(failure);
}

void ReadFailuresOnce() {
  if (!environment_read) ReadFailures();
}

}  // namespace

ApiFunction::ApiFunction(const char* function_name) : name(function_name), next(first_function) { first_function = this; }

ApiFunction* ApiFunction::Find(const std::string& name) {
  for (ApiFunction* function = first_function; function != nullptr; function = function->next)
    if (name == function->name) return function;
  return nullptr;
}

Call::Call(const char* function_name, Needs needs, const char* format, ...) : lock_(State().mutex) {
  ReadFailuresOnce();
  ApiFunction& function = *ApiFunction::Find(function_name);
  std::string line = function_name;
  if (format != nullptr) {
    char detail[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    line = line + " " + detail;
  }
  if (State().log.size() < kMaxLog) State().log += line + "\n";
  status_ = Begin(function, needs);
}

int Call::Begin(ApiFunction& function, Needs needs) {
  function.calls++;
  int asked_for = kSuccess;
  for (Failure& failure : function.failures)
    if (failure.every_call || --failure.calls_left == 0) asked_for = failure.status;
  std::erase_if(function.failures, [](const Failure& failure) { return !failure.every_call && failure.calls_left == 0; });
  if (asked_for != kSuccess) return asked_for;
  if (needs == kNothing) return kSuccess;
  if (State().in_host_function) return kNotPermitted;
  if (!State().initialized) return kNotInitialized;
  return needs == kWorkingContext ? State().error : kSuccess;
}

}  // namespace roipool::fake_cuda

using namespace roipool::fake_cuda;

#define CONTROL_API extern "C" __attribute__((visibility("default")))

CONTROL_API int fake_cuda_fail(const char* function_name, int nth_from_now, int status) {
  const std::lock_guard lock(State().mutex);
  ApiFunction* function = function_name != nullptr ? ApiFunction::Find(function_name) : nullptr;
  if (function == nullptr || nth_from_now < 0) return 1;
  ReadFailuresOnce();
  if (status == kSuccess) {
    function->failures.clear();
  } else {
    function->failures.push_back({nth_from_now == 0, nth_from_now, status});
  }
  return 0;
}

CONTROL_API void fake_cuda_reset() {
  const std::lock_guard lock(State().mutex);
  AllStreams().Drop();
  State().error = kSuccess;
  State().log.clear();
  for (ApiFunction* function = first_function; function != nullptr; function = function->next) {
    function->calls = 0;
    function->failures.clear();
  }
  ReadSettings();
  ReadFailures();
}

CONTROL_API int fake_cuda_calls(const char* function_name) {
  const std::lock_guard lock(State().mutex);
  const ApiFunction* function = function_name != nullptr ? ApiFunction::Find(function_name) : nullptr;
  return function != nullptr ? function->calls : -1;
}

CONTROL_API size_t fake_cuda_log(char* buffer, size_t size) {
  const std::lock_guard lock(State().mutex);
  const std::string& log = State().log;
  if (buffer != nullptr && size > 0) {
    const size_t length = std::min(size - 1, log.size());
    std::memcpy(buffer, log.data(), length);
    buffer[length] = '\0';
  }
  return log.size();
}
