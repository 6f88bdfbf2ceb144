// Initialization, the device, contexts and streams. On the CPU nothing is ever pending.
#include "runtime.h"

#include <atomic>
#include <memory>

#include "acl/acl.h"
#include "device.h"
#include "error.h"
#include "handle_table.h"
#include "pending.h"

namespace roipool::aclnn {
namespace {

struct Stream {
  void* device_stream = nullptr;
};
struct Context {};

using Streams = HandleTable<Stream>;
using Contexts = HandleTable<Context>;

std::atomic<bool> is_initialized = false;
thread_local aclrtContext current_context = nullptr;

int CheckDevice(const char* function, int32_t device) noexcept {
  ROIPOOL_ACLNN_CHECK(device == 0, ACL_ERROR_RT_INVALID_DEVICEID, "%s: deviceId is %d, must be 0, the only device", function,
                      device);
  AclDevice found;
  return FindDevice(function, &found);
}

// A new handle of `object`.
template <typename Object>
int Add(const char* function, std::shared_ptr<Object> object, void** handle) noexcept {
  return Guarded(function, ACL_ERROR_BAD_ALLOC, [&] {
    *handle = HandleTable<Object>::Instance().Add(std::move(object));
    return ACL_SUCCESS;
  });
}

template <typename Object>
int CheckLive(const char* function, const char* noun, void* handle, std::shared_ptr<Object>* object) {
  ROIPOOL_ACLNN_CHECK(handle != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, noun);
  *object = HandleTable<Object>::Instance().Remove(handle);
  ROIPOOL_ACLNN_CHECK(*object != nullptr, ACL_ERROR_RT_PARAM_INVALID, "%s: %s is no live %s; was it destroyed already?",
                      function, noun, noun);
  return ACL_SUCCESS;
}

}  // namespace

bool FindStream(aclrtStream stream, void** device_stream) {
  *device_stream = nullptr;
  if (stream == nullptr) return true;
  const auto found = Streams::Instance().Find(stream);
  if (found != nullptr) *device_stream = found->device_stream;
  return found != nullptr;
}

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
  ROIPOOL_ACLNN_CHECK(context != nullptr, ACL_ERROR_INVALID_PARAM, "%s: context is null, must be set", kFunction);
  ROIPOOL_ACLNN_RETURN_IF_FAILED(Add(kFunction, std::make_shared<Context>(), context));
  current_context = *context;
  return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext context) {
  std::shared_ptr<Context> object;
  ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckLive("aclrtDestroyContext", "context", context, &object));
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

aclError aclrtCreateStream(aclrtStream* stream) {
  constexpr const char* kFunction = "aclrtCreateStream";
  ROIPOOL_ACLNN_CHECK(stream != nullptr, ACL_ERROR_INVALID_PARAM, "%s: stream is null, must be set", kFunction);
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    auto object = std::make_shared<Stream>();
    if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuStreamCreate, (&object->device_stream, 0));
    return Add(kFunction, std::move(object), stream);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  constexpr const char* kFunction = "aclrtDestroyStream";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    std::shared_ptr<Stream> object;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(CheckLive(kFunction, "stream", stream, &object));
    if (device.cuda == nullptr) return ACL_SUCCESS;
    // Its work is done first, and its errors are this call's: nobody else can wait for it any more.
    const int pending = FinishPending(kFunction, stream);
    ROIPOOL_ACLNN_CUDA(kFunction, device, cuStreamDestroy_v2, (object->device_stream));
    return pending;
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  constexpr const char* kFunction = "aclrtSynchronizeStream";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    void* device_stream = nullptr;
    ROIPOOL_ACLNN_CHECK(FindStream(stream, &device_stream), ACL_ERROR_RT_PARAM_INVALID,
                        "%s: stream is no live stream; was it destroyed?", kFunction);
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuStreamSynchronize, (device_stream));
    return FinishPending(kFunction, stream);
  });
}

aclError aclrtSynchronizeDevice() {
  constexpr const char* kFunction = "aclrtSynchronizeDevice";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuCtxSynchronize, ());
    return FinishAllPending(kFunction);
  });
}
