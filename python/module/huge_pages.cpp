#include "huge_pages.h"

#include <sys/mman.h>
#include <unistd.h>

namespace roipool::python {
namespace {

constexpr uint64_t kSmallest = UINT64_C(4) << 20;

}  // namespace

void AdviseHugePages(uintptr_t address, uint64_t size) noexcept {
#ifdef MADV_HUGEPAGE
  if (size < kSmallest) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = (address + page - 1) / page * page;
  const uintptr_t end = (address + size) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace roipool::python
