// The handles that operators are given beside tensors.
#ifndef ROIPOOL_SRC_ACLNN_RUNTIME_H_
#define ROIPOOL_SRC_ACLNN_RUNTIME_H_

#include <memory>

#include "acl/acl_rt.h"
#include "pending.h"

namespace roipool::aclnn {

struct Stream {
  void* device_stream = nullptr;  ///< Null for the default one, and on the CPU.
  PendingRuns pending;            ///< Always empty on the CPU.
};

/// Null if the handle is not live. May throw std::bad_alloc.
std::shared_ptr<Stream> FindStream(aclrtStream stream);

/// Settles the stream's runs if they have become many and are done, for callers who never wait for it.
void SettleIfMany(Stream& stream) noexcept;

/// Waits for the runs of all streams, whose errors stay with them. May throw std::bad_alloc.
void SettleAllStreams();

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_RUNTIME_H_
