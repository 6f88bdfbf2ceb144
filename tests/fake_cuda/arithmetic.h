#ifndef ROIPOOL_TESTS_FAKE_CUDA_ARITHMETIC_H_
#define ROIPOOL_TESTS_FAKE_CUDA_ARITHMETIC_H_

#include <cstdint>
#include <string>

#include "module.h"
#include "types.h"

namespace roipool::fake_cuda {

// Thrown: ends a launch with a report.
struct Fault {
  Status code;
  std::string what;
};

uint64_t FloatOperation(const Instruction& in, uint64_t a, uint64_t b, uint64_t c);
bool CompareTyped(const Instruction& in, uint64_t a, uint64_t b);
uint64_t Convert(const Instruction& in, uint64_t a);
// The new value of an atomic operation on global or on shared memory.
uint64_t AtomicValue(const Instruction& in, bool is_global, uint64_t old, uint64_t b, uint64_t c);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_ARITHMETIC_H_
