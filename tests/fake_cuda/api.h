// How a function of the driver API begins: CUDA_API(name, (parameters)) { ENTER(needs, "detail for the log", ...); ... }
#ifndef ROIPOOL_TESTS_FAKE_CUDA_API_H_
#define ROIPOOL_TESTS_FAKE_CUDA_API_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "types.h"

namespace roipool::fake_cuda {

struct Failure {
  bool every_call;
  int calls_left;  // 1: the next call
  int status;
};

// What is known of one function of the driver API.
struct ApiFunction {
  explicit ApiFunction(const char* function_name);
  // Null: no such function.
  static ApiFunction* Find(const std::string& name);

  const char* name;
  ApiFunction* next;
  int calls = 0;
  std::vector<Failure>& failures = *new std::vector<Failure>;  // never destroyed: programs use CUDA in exit handlers
};

// One call: holds the driver's lock, counts and logs, and fails on request.
class Call {
 public:
  enum Needs { kNothing, kInitialized, kWorkingContext };  // the last: an error of earlier work is returned again

  Call(const char* function, Needs needs) : Call(function, needs, nullptr) {}
  Call(const char* function, Needs needs, const char* format, ...) __attribute__((format(printf, 4, 5)));
  int status() const { return status_; }

 private:
  int Begin(ApiFunction& function, Needs needs);

  std::unique_lock<std::recursive_mutex> lock_;
  int status_ = kSuccess;
};

}  // namespace roipool::fake_cuda

#define CUDA_API(name, parameters)                                       \
  static ::roipool::fake_cuda::ApiFunction api_function_##name(#name);   \
  extern "C" __attribute__((visibility("default"))) int name parameters; \
  int name parameters

#define ENTER(needs, ...)                                            \
  const Call call(__func__, Call::needs __VA_OPT__(, ) __VA_ARGS__); \
  if (call.status() != kSuccess) return call.status()

#endif  // ROIPOOL_TESTS_FAKE_CUDA_API_H_
