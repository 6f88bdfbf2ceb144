// Initialization, the device, contexts and streams. The only device is the CPU, on which nothing is ever pending.
#include "runtime.h"

#include <atomic>
#include <memory>

#include "acl/acl.h"
#include "error.h"
#include "handle_table.h"

namespace roipool::aclnn {
namespace {

struct Stream {};
struct Context {};

using Streams = HandleTable<Stream>;
using Contexts = HandleTable<Context>;

std::atomic<bool> is_initialized = false;
thread_local aclrtContext current_context = nullptr;

int CheckDevice(const char* function, int32_t device) noexcept {
  ROIPOOL_ACLNN_CHECK(device == 0, ACL_ERROR_RT_INVALID_DEVICEID, "%s: deviceId is %d, must be 0, the only device", function,
                      device);
  return ACL_SUCCESS;
}

int CheckStream(const char* function, aclrtStream stream) {
  ROIPOOL_ACLNN_CHECK(IsLiveStream(stream), ACL_ERROR_RT_PARAM_INVALID, "%s: stream is no live stream; was it destroyed?",
                      function);
  return ACL_SUCCESS;
}

// A new handle of one kind, which `noun` names.
template <typename Object>
int Create(const char* function, const char* noun, void** handle) noexcept {
  ROIPOOL_ACLNN_CHECK(handle != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, noun);
  return Guarded(function, ACL_ERROR_BAD_ALLOC, [&] {
    *handle = HandleTable<Object>::Instance().Add(std::make_shared<Object>());
    return ACL_SUCCESS;
  });
}

template <typename Object>
int Destroy(const char* function, const char* noun, void* handle) noexcept {
  ROIPOOL_ACLNN_CHECK(handle != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, noun);
  ROIPOOL_ACLNN_CHECK(HandleTable<Object>::Instance().Remove(handle) != nullptr, ACL_ERROR_RT_PARAM_INVALID,
                      "%s: %s is no live %s; was it destroyed already?", function, noun, noun);
  return ACL_SUCCESS;
}

}  // namespace

bool IsLiveStream(aclrtStream stream) { return stream == nullptr || Streams::Instance().Find(stream) != nullptr; }

}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclError aclInit(const char*) {
  ROIPOOL_ACLNN_CHECK(!is_initialized.exchange(true), ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called twice, may be called once");
  return ACL_SUCCESS;
}

aclError aclFinalize() {
  ROIPOOL_ACLNN_CHECK(is_initialized.exchange(false), ACL_ERROR_UNINITIALIZE, "aclFinalize: called without aclInit");
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) { return CheckDevice("aclrtSetDevice", deviceId); }

aclError aclrtResetDevice(int32_t deviceId) { return CheckDevice("aclrtResetDevice", deviceId); }

aclError aclrtGetDevice(int32_t* deviceId) {
  ROIPOOL_ACLNN_CHECK(deviceId != nullptr, ACL_ERROR_INVALID_PARAM, "aclrtGetDevice: deviceId is null, must be set");
  *deviceId = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  ROIPOOL_ACLNN_CHECK(count != nullptr, ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount: count is null, must be set");
  *count = 1;
  return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  constexpr const char* kFunction = "aclrtCreateContext";
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckDevice(kFunction, deviceId));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(Create<Context>(kFunction, "context", context));
  current_context = *context;
  return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext context) {
  ROIPOOL_ACLNN_RETURN_IF_FAILED(Destroy<Context>("aclrtDestroyContext", "context", context));
  if (current_context == context) current_context = nullptr;
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  constexpr const char* kFunction = "aclrtSetCurrentContext";
  ROIPOOL_ACLNN_CHECK(context != nullptr, ACL_ERROR_INVALID_PARAM, "%s: context is null, must be set", kFunction);
  ROIPOOL_ACLNN_CHECK(Contexts::Instance().Find(context) != nullptr, ACL_ERROR_RT_PARAM_INVALID,
                      "%s: context is no live context; was it destroyed?", kFunction);
  current_context = context;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  constexpr const char* kFunction = "aclrtGetCurrentContext";
  ROIPOOL_ACLNN_CHECK(context != nullptr, ACL_ERROR_INVALID_PARAM, "%s: context is null, must be set", kFunction);
  ROIPOOL_ACLNN_CHECK(current_context != nullptr, ACL_ERROR_RT_PARAM_INVALID,
                      "%s: this thread has no context; create or set one", kFunction);
  *context = current_context;
  return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream* stream) { return Create<Stream>("aclrtCreateStream", "stream", stream); }

aclError aclrtDestroyStream(aclrtStream stream) { return Destroy<Stream>("aclrtDestroyStream", "stream", stream); }

aclError aclrtSynchronizeStream(aclrtStream stream) { return CheckStream("aclrtSynchronizeStream", stream); }

aclError aclrtSynchronizeDevice() { return ACL_SUCCESS; }
