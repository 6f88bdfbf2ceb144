#ifndef ROIPOOL_TESTS_FAKE_CUDA_SETTINGS_H_
#define ROIPOOL_TESTS_FAKE_CUDA_SETTINGS_H_

#include <cstdint>
#include <string>

namespace roipool::fake_cuda {

enum Level { kOff, kWarn, kError };
enum Order { kForward, kReverse, kRandom };

// What the environment variables FAKE_CUDA_* say; README.md explains them.
struct Settings {
  Level race = kError;
  Level init = kWarn;
  Level leak = kOff;
  Order order = kForward;
  uint64_t seed = 1;
  uint64_t quantum = 0;
  uint64_t resident = 1;
  uint64_t max_steps = 2000000000ull;
  uint64_t max_reports = 10;
  uint64_t mem_mb = 8192;
  uint64_t shared_max = 49152;
  uint64_t exit_code = 0;
  bool abort_on_error = false;
  bool verbose = false;
  bool async = true;
  bool strict = false;
  int cc_major = 9, cc_minor = 0;
  std::string fail;
};

const Settings& CurrentSettings();
// Reads the environment again.
void ReadSettings();

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_SETTINGS_H_
