#include "prefault.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace roipool::internal {

#ifdef __linux__

void PrefaultForWriting(void* memory, size_t bytes) noexcept {
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, which older headers lack.
  constexpr size_t kWorthAsking = 65536;
  if (bytes < kWorthAsking) return;
  static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  // Whole pages inside: those at the edges may be someone else's too.
  const uintptr_t skipped = (page - begin % page) % page;
  if (bytes < skipped + page) return;
  std::byte* first = static_cast<std::byte*>(memory) + skipped;
  const size_t whole = (bytes - skipped) / page * page;
  const int saved_errno = errno;
  unsigned char is_resident = 0;
  if (mincore(first, page, &is_resident) == 0 && (is_resident & 1) == 0) {
    static_cast<void>(madvise(first, whole, kPopulateWrite));
  }
  errno = saved_errno;
}

#else

void PrefaultForWriting(void*, size_t) noexcept {}

#endif

}  // namespace roipool::internal
