// Second phases whose work may not be done yet: what the device finds wrong with them is returned by whoever waits for their
// stream.
#ifndef ROIPOOL_SRC_ACLNN_PENDING_H_
#define ROIPOOL_SRC_ACLNN_PENDING_H_

#include <memory>

#include "acl/acl_rt.h"
#include "op_executor.h"

namespace roipool::aclnn {

/// Remembers that `executor` has put work on `stream`. May throw std::bad_alloc.
void AddPending(aclrtStream stream, std::shared_ptr<OpExecutor> executor);

/// Waits for what is pending on `stream` and returns the first error among it, once.
int FinishPending(const char* function, aclrtStream stream);
/// The same for all streams.
int FinishAllPending(const char* function);

/// Waits for everything, since memory is about to be freed, and keeps the errors for who waits for their streams.
void SettlePending();

}  // namespace roipool::aclnn

#endif  // ROIPOOL_SRC_ACLNN_PENDING_H_
