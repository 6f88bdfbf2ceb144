#ifndef ROIPOOL_TESTS_FAKE_CUDA_REPORT_H_
#define ROIPOOL_TESTS_FAKE_CUDA_REPORT_H_

#include <cstdint>
#include <string>

namespace roipool::fake_cuda {

// Counted since the library was loaded.
struct Totals {
  uint64_t launches = 0, instructions = 0, errors = 0, warnings = 0;
};
extern Totals totals;

std::string Format(const char* format, ...) __attribute__((format(printf, 1, 2)));
void Say(const std::string& text);
void Warn(const std::string& text);
// Reports an error of the calling program or of a kernel.
void Complain(const std::string& text);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_REPORT_H_
