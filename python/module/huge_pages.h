// New memory for large results in few page faults.
#ifndef ROIPOOL_PYTHON_HUGE_PAGES_H_
#define ROIPOOL_PYTHON_HUGE_PAGES_H_

#include <cstdint>

namespace roipool::python {

/// Asks the kernel to back the whole pages in `size` bytes at `address` with huge ones, as NumPy does for its own arrays. Only
/// from 4 MiB on, where that pays; without effect where the kernel has none or the pages exist already.
void AdviseHugePages(uintptr_t address, uint64_t size) noexcept;

}  // namespace roipool::python

#endif  // ROIPOOL_PYTHON_HUGE_PAGES_H_
