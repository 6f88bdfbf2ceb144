// Memory that the system has promised but not given yet.
#ifndef ROIPOOL_RUNTIME_PREFAULT_H_
#define ROIPOOL_RUNTIME_PREFAULT_H_

#include <cstddef>

namespace roipool::internal {

/// If the first page of `memory` is not there yet, asks for all of its pages at once, which costs less than a fault on each of
/// them. Contents stay as they are, errors are ignored: a page that did not come is faulted in as ever. Only for memory that is
/// about to be written as a whole. Does nothing where the system knows no such request (Linux before 5.14).
/// 111 MB of new memory, zeroed on one Zen 4 core: 56 ms, 36 ms this way.
void PrefaultForWriting(void* memory, size_t bytes) noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_PREFAULT_H_
