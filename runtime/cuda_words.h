// Words of CUDA device memory that outlive the calls which they are taken for: the library's own, kept for each context.
#ifndef ROIPOOL_RUNTIME_CUDA_WORDS_H_
#define ROIPOOL_RUNTIME_CUDA_WORDS_H_

#include <cstdint>

#include "call_context.h"
#include "roipool/status.h"

namespace roipool::internal {

/// The address of 8 bytes, for work on `queue`. Allocates only if the context has no word left. Thread-safe, as all here.
Status TakeCudaWord(const char* function, const DeviceQueue& queue, uint64_t* address) noexcept;

/// `is_settled`: no work that touches the word is under way. Else none but work on the same stream gets it next.
void ReturnCudaWord(const DeviceQueue& queue, uint64_t address, bool is_settled) noexcept;

/// Frees a context's words. kInvalidState if some are taken.
Status ReleaseCudaWords(const char* function, void* context) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CUDA_WORDS_H_
