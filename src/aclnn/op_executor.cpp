#include "op_executor.h"

#include "error.h"
#include "handle_table.h"
#include "runtime.h"

namespace roipool::aclnn {
namespace {

using Table = HandleTable<OpExecutor>;

// Looks an executor up for the functions of acl_meta.h and calls use(executor), which is locked then.
template <typename Use>
aclnnStatus WithExecutor(const char* function, const aclOpExecutor* handle, const Use& use) noexcept {
  return Guarded(function, ACLNN_ERR_RUNTIME_ERROR, [&]() -> int {
    ROIPOOL_ACLNN_CHECK(handle != nullptr, ACLNN_ERR_INNER_NULLPTR, "%s: executor is null, must be set", function);
    const auto executor = Table::Instance().Find(handle);
    ROIPOOL_ACLNN_CHECK(executor != nullptr, ACLNN_ERR_PARAM_INVALID,
                        "%s: executor is no live executor; it ran already, or was destroyed", function);
    const std::lock_guard lock(executor->mutex);
    return use(*executor);
  });
}

enum class Side { kInputs, kOutputs, kAll };

// The `index`th tensor of a side; inputs come before outputs.
BoundTensor* TensorAt(OpExecutor& executor, Side side, size_t index) noexcept {
  for (const bool outputs : {false, true}) {
    if ((side == Side::kInputs && outputs) || (side == Side::kOutputs && !outputs)) continue;
    for (BoundTensor& tensor : executor.tensors) {
      if (tensor.is_output == outputs && index-- == 0) return &tensor;
    }
  }
  return nullptr;
}

// Locks the executor once all that is pending of it is pending on `stream`, so that each error is found on the stream it is of.
std::unique_lock<std::mutex> LockFor(OpExecutor& executor, const std::shared_ptr<Stream>& stream) {
  std::unique_lock lock(executor.mutex);
  while (executor.pending_runs > 0) {
    const auto last = executor.last_stream.lock();
    if (last == nullptr || last == stream) break;
    lock.unlock();
    last->pending.SettleForOthers();
    lock.lock();
  }
  return lock;
}

aclnnStatus SetAddress(const char* function, Side side, aclOpExecutor* handle, size_t index, aclTensor* tensor_handle,
                       void* address) noexcept {
  return WithExecutor(function, handle, [&](OpExecutor& executor) -> int {
    ROIPOOL_ACLNN_CHECK(tensor_handle != nullptr, ACLNN_ERR_INNER_NULLPTR, "%s: tensor is null, must be set", function);
    const auto tensor = FindTensor(tensor_handle);
    ROIPOOL_ACLNN_CHECK(tensor != nullptr, ACLNN_ERR_PARAM_INVALID, "%s: tensor is no live tensor; was it destroyed?",
                        function);
    BoundTensor* bound = TensorAt(executor, side, index);
    ROIPOOL_ACLNN_CHECK(bound != nullptr, ACLNN_ERR_PARAM_INVALID, "%s: index is %zu, which names no %s of this executor",
                        function, index,
                        side == Side::kInputs    ? "input"
                        : side == Side::kOutputs ? "output"
                                                 : "tensor");
    bound->storage = address;
    tensor->storage = address;
    return ACLNN_SUCCESS;
  });
}

}  // namespace

aclOpExecutor* AddExecutor(std::shared_ptr<OpExecutor> executor) {
  return static_cast<aclOpExecutor*>(Table::Instance().Add(std::move(executor)));
}

aclnnStatus RunExecutor(const char* function, OpExecutor::Run run, void* workspace, uint64_t workspace_size,
                        aclOpExecutor* handle, aclrtStream stream) noexcept {
  return Guarded(function, ACLNN_ERR_RUNTIME_ERROR, [&]() -> int {
    ROIPOOL_ACLNN_CHECK(handle != nullptr, ACLNN_ERR_PARAM_NULLPTR, "%s: executor is null, must come from %sGetWorkspaceSize",
                        function, function);
    const auto executor = Table::Instance().Find(handle);
    ROIPOOL_ACLNN_CHECK(
        executor != nullptr, ACLNN_ERR_PARAM_INVALID,
        "%s: executor is no live executor; it ran already, or was destroyed; plan again with %sGetWorkspaceSize", function,
        function);
    ROIPOOL_ACLNN_CHECK(executor->run == run, ACLNN_ERR_PARAM_INVALID,
                        "%s: executor belongs to another operator, must come from %sGetWorkspaceSize", function, function);
    const auto found = FindStream(stream);
    if (found != nullptr) SettleIfMany(*found);
    const auto lock = LockFor(*executor, found);
    // Whoever takes a handle that may run once out of the table is the one who runs it.
    ROIPOOL_ACLNN_CHECK(executor->is_repeatable || Table::Instance().Remove(handle) != nullptr, ACLNN_ERR_PARAM_INVALID,
                        "%s: executor has run in another thread, may run once", function);
    ROIPOOL_ACLNN_CHECK(found != nullptr, ACLNN_ERR_RUNTIME_ERROR, "%s: stream is no live stream; was it destroyed?", function);
    auto pending = executor->is_asynchronous ? PendingRuns::MakeRoom(executor) : PendingRuns::Runs();
    const Status status = run(*executor, workspace, workspace_size, found->device_stream);
    if (status.ok() && executor->is_asynchronous) {
      ++executor->pending_runs;
      executor->last_stream = found;
      found->pending.Add(std::move(pending));
    }
    const int code = FromStatus(status);
    // The operator counts a null workspace among the null pointers.
    return status.code() == StatusCode::kInvalidWorkspace && workspace == nullptr ? ACLNN_ERR_PARAM_NULLPTR : code;
  });
}

}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return WithExecutor("aclSetAclOpExecutorRepeatable", executor, [](OpExecutor& found) {
    found.is_repeatable = true;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  constexpr const char* kFunction = "aclDestroyAclOpExecutor";
  ROIPOOL_ACLNN_CHECK(executor != nullptr, ACLNN_ERR_INNER_NULLPTR, "%s: executor is null, must be set", kFunction);
  ROIPOOL_ACLNN_CHECK(HandleTable<OpExecutor>::Instance().Remove(executor) != nullptr, ACLNN_ERR_PARAM_INVALID,
                      "%s: executor is no live executor; it ran already, or was destroyed", kFunction);
  return ACLNN_SUCCESS;
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return SetAddress("aclSetInputTensorAddr", Side::kInputs, executor, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return SetAddress("aclSetOutputTensorAddr", Side::kOutputs, executor, index, tensor, addr);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return SetAddress("aclSetTensorAddr", Side::kAll, executor, index, tensor, addr);
}
