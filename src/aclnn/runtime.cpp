// Initialization, the device, contexts and streams. On the CPU nothing is ever pending.
#include "runtime.h"

#include <atomic>
#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "device.h"
#include "error.h"
#include "handle_table.h"
#include "roipool/device.h"

namespace roipool::aclnn {
namespace {

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

// Takes the object out, if the handle is live.
template <typename Object>
int Remove(const char* function, const char* noun, void* handle, std::shared_ptr<Object>* object) noexcept {
  ROIPOOL_ACLNN_CHECK(handle != nullptr, ACL_ERROR_INVALID_PARAM, "%s: %s is null, must be set", function, noun);
  *object = HandleTable<Object>::Instance().Remove(handle);
  ROIPOOL_ACLNN_CHECK(*object != nullptr, ACL_ERROR_RT_PARAM_INVALID, "%s: %s is no live %s; was it destroyed already?",
                      function, noun, noun);
  return ACL_SUCCESS;
}

const std::shared_ptr<Stream>& DefaultStream() {
  static const auto& stream = *new std::shared_ptr<Stream>(std::make_shared<Stream>());
  return stream;
}

std::vector<std::shared_ptr<Stream>> AllStreams() {
  std::vector<std::shared_ptr<Stream>> streams = Streams::Instance().All();
  streams.push_back(DefaultStream());
  return streams;
}

// Takes the error of the oldest run alone: the others belong to those who wait for the other streams.
Status TakeOldestError(const std::vector<std::shared_ptr<Stream>>& streams) noexcept {
  Stream* oldest = nullptr;
  uint64_t oldest_run = UINT64_MAX;
  for (const auto& stream : streams) {
    const uint64_t run = stream->pending.failed_run();
    if (run == 0 || run >= oldest_run) continue;
    oldest = stream.get();
    oldest_run = run;
  }
  return oldest == nullptr ? Status() : oldest->pending.TakeError();
}

int Destroy(const char* function, const AclDevice& device, aclrtStream stream) noexcept {
  std::shared_ptr<Stream> object;
  if (device.cuda == nullptr) return Remove(function, "stream", stream, &object);
  // Whatever can fail before the stream is touched comes before its handle goes.
  const internal::CudaContextScope scope(*device.cuda, device.context);
  ROIPOOL_ACLNN_RETURN_IF_FAILED(FromDriver(internal::CudaStatus(function, "cuCtxPushCurrent_v2", scope.error())));
  ROIPOOL_ACLNN_RETURN_IF_FAILED(Remove(function, "stream", stream, &object));
  // Its work is done first, and its errors are this call's: nobody else can wait for it any more.
  object->pending.Settle(function);
  const Status pending = object->pending.TakeError();
  const int error = device.cuda->cuStreamDestroy_v2(object->device_stream);
  return pending.ok() ? FromDriver(internal::CudaStatus(function, "cuStreamDestroy_v2", error)) : FromStatus(pending);
}

}  // namespace

std::shared_ptr<Stream> FindStream(aclrtStream stream) {
  return stream == nullptr ? DefaultStream() : Streams::Instance().Find(stream);
}

void SettleIfMany(Stream& stream) noexcept {
  constexpr size_t kMany = 64;
  AclDevice device;
  if (stream.pending.count() <= kMany || FindDevice("aclrtSynchronizeStream", &device) != ACL_SUCCESS) return;
  const internal::CudaContextScope scope(*device.cuda, device.context);
  if (scope.error() == 0 && device.cuda->cuStreamQuery(stream.device_stream) == 0) stream.pending.SettleForOthers();
}

void SettleAllStreams() {
  for (const auto& stream : AllStreams()) stream->pending.SettleForOthers();
}

}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclError aclInit(const char*) {
  ROIPOOL_ACLNN_CHECK(!is_initialized.exchange(true), ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called twice, may be called once");
  return ACL_SUCCESS;
}

aclError aclFinalize() {
  constexpr const char* kFunction = "aclFinalize";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    ROIPOOL_ACLNN_CHECK(is_initialized.exchange(false), ACL_ERROR_UNINITIALIZE, "%s: called without aclInit", kFunction);
    AclDevice device;
    if (FindDevice(kFunction, &device) != ACL_SUCCESS || device.cuda == nullptr) return ACL_SUCCESS;
    SettleAllStreams();
    return FromStatus(ReleaseDevice(device.kind, device.context));
  });
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
  ROIPOOL_ACLNN_RETURN_IF_FAILED(Remove("aclrtDestroyContext", "context", context, &object));
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
    const auto object = std::make_shared<Stream>();
    void* handle = nullptr;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(Add(kFunction, object, &handle));
    // The driver's stream comes last: nothing can fail after it and leave it behind.
    const auto create = [&]() -> int {
      if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuStreamCreate, (&object->device_stream, 0));
      return ACL_SUCCESS;
    };
    if (const int code = create(); code != ACL_SUCCESS) {
      Streams::Instance().Remove(handle);
      return code;
    }
    *stream = handle;
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  constexpr const char* kFunction = "aclrtDestroyStream";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    return Destroy(kFunction, device, stream);
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  constexpr const char* kFunction = "aclrtSynchronizeStream";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    const auto found = FindStream(stream);
    ROIPOOL_ACLNN_CHECK(found != nullptr, ACL_ERROR_RT_PARAM_INVALID, "%s: stream is no live stream; was it destroyed?",
                        kFunction);
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuStreamSynchronize, (found->device_stream));
    found->pending.Settle(kFunction);
    return FromStatus(found->pending.TakeError());
  });
}

aclError aclrtSynchronizeDevice() {
  constexpr const char* kFunction = "aclrtSynchronizeDevice";
  return Guarded(kFunction, ACL_ERROR_BAD_ALLOC, [&]() -> int {
    AclDevice device;
    ROIPOOL_ACLNN_RETURN_IF_FAILED(FindDevice(kFunction, &device));
    const auto streams = AllStreams();
    if (device.cuda != nullptr) ROIPOOL_ACLNN_CUDA(kFunction, device, cuCtxSynchronize, ());
    for (const auto& stream : streams) stream->pending.Settle(kFunction);
    return FromStatus(TakeOldestError(streams));
  });
}
