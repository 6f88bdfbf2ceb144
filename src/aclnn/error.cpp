#include "error.h"

#include <cstdarg>
#include <cstdio>

namespace roipool::aclnn {
namespace {

struct LastError {
  bool unread = false;
  char text[Status::kMaxMessage + 1] = {};
};

thread_local LastError last_error;

}  // namespace

int Fail(int code, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(last_error.text, sizeof(last_error.text), format, arguments);
  va_end(arguments);
  last_error.unread = true;
  return code;
}

aclnnStatus FromStatus(const Status& status) noexcept {
  const auto code = [&] {
    switch (status.code()) {
      case StatusCode::kOk:
        return ACLNN_SUCCESS;
      case StatusCode::kNullArgument:
        return ACLNN_ERR_PARAM_NULLPTR;
      case StatusCode::kOutOfMemory:
      case StatusCode::kDeviceError:
        return ACLNN_ERR_RUNTIME_ERROR;
      case StatusCode::kInternal:
        return ACLNN_ERR_INNER;
      default:
        return ACLNN_ERR_PARAM_INVALID;
    }
  }();
  return status.ok() ? code : Fail(code, "%s", status.message());
}

aclnnStatus FromPlanning(const Status& status) noexcept {
  if (status.code() != StatusCode::kOutOfMemory) return FromStatus(status);
  return Fail(ACLNN_ERR_INNER_CREATE_EXECUTOR, "%s", status.message());
}

int ClearResults(const char* function, uint64_t* workspace_size, aclOpExecutor** executor) noexcept {
  if (workspace_size != nullptr) *workspace_size = 0;
  if (executor != nullptr) *executor = nullptr;
  ROIPOOL_ACLNN_CHECK(workspace_size != nullptr, ACLNN_ERR_PARAM_NULLPTR, "%s: workspaceSize is null, must be set", function);
  ROIPOOL_ACLNN_CHECK(executor != nullptr, ACLNN_ERR_PARAM_NULLPTR, "%s: executor is null, must be set", function);
  return ACLNN_SUCCESS;
}

}  // namespace roipool::aclnn

const char* aclGetRecentErrMsg() {
  using roipool::aclnn::last_error;
  if (!last_error.unread) return nullptr;
  last_error.unread = false;
  return last_error.text;
}
