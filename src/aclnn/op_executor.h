// What an aclOpExecutor handle stands for: a native executor that may run again, and who may still use it.
#ifndef ROIPOOL_SRC_ACLNN_OP_EXECUTOR_H_
#define ROIPOOL_SRC_ACLNN_OP_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "aclnn/aclnn_base.h"
#include "roipool/executor.h"
#include "roipool/status.h"
#include "tensor.h"

namespace roipool::aclnn {

/// Every operator here has three inputs and an output, or two and two.
constexpr int kTensorCount = 4;

/// One tensor of an executor: where its storage begins, and how far into it its first element lies.
struct BoundTensor {
  const char* name = nullptr;
  bool is_output = false;
  void* storage = nullptr;
  int64_t offset_bytes = 0;

  /// The first element; null as long as the storage is.
  void* data() const noexcept { return storage == nullptr ? nullptr : static_cast<char*>(storage) + offset_bytes; }
};

struct Stream;

struct OpExecutor {
  /// The second phase of one operator: gives the native executor the tensors' addresses and runs it.
  /// On a GPU it puts its work on `device_stream` and does not wait.
  using Run = Status (*)(const OpExecutor&, void* workspace, uint64_t workspace_size, void* device_stream);

  std::mutex mutex;  ///< Guards what follows; held while it runs.
  ExecutorPtr native;
  Run run = nullptr;
  bool is_repeatable = false;
  bool is_asynchronous = false;       ///< What a run finds wrong is known when its stream is waited for.
  int64_t pending_runs = 0;           ///< Asynchronous runs that nobody has waited for.
  std::weak_ptr<Stream> last_stream;  ///< All of those are on it.
  BoundTensor tensors[kTensorCount];  ///< In the order of the first phase's parameters.
};

/// Makes a handle of an executor. May throw std::bad_alloc.
aclOpExecutor* AddExecutor(std::shared_ptr<OpExecutor> executor);

/// The second phase of every operator: looks the executor up, checks that it is `run`'s and that the stream is live, runs it,
/// and frees it unless it is repeatable. What an executor has left on another stream is waited for first: its errors are that
/// stream's.
aclnnStatus RunExecutor(const char* function, OpExecutor::Run run, void* workspace, uint64_t workspace_size,
                        aclOpExecutor* executor, aclrtStream stream) noexcept;

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_OP_EXECUTOR_H_
