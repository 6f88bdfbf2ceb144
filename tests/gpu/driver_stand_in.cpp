#include "driver_stand_in.h"

#include <cstddef>
#include <sstream>

#include "cuda_call.h"

namespace roipool::test {

std::string WhyNoStandIn() {
  return CudaFunction("fake_cuda_reset") == nullptr ? "the driver is not the stand-in of tests/fake_cuda" : "";
}

void ResetDriver() { reinterpret_cast<void (*)()>(CudaFunction("fake_cuda_reset"))(); }

void FailCall(const std::string& function, int nth, int status) {
  reinterpret_cast<int (*)(const char*, int, int)>(CudaFunction("fake_cuda_fail"))(function.c_str(), nth, status);
}

std::vector<std::string> CallsOfDriver() {
  const auto log = reinterpret_cast<size_t (*)(char*, size_t)>(CudaFunction("fake_cuda_log"));
  std::string text(log(nullptr, 0) + 1, '\0');
  log(text.data(), text.size());
  std::istringstream lines(text.c_str());
  std::vector<std::string> calls;
  for (std::string line; std::getline(lines, line);) calls.push_back(line);
  return calls;
}

}  // namespace roipool::test
