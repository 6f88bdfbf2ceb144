#ifndef ROIPOOL_TESTS_FAKE_CUDA_OPCODES_H_
#define ROIPOOL_TESTS_FAKE_CUDA_OPCODES_H_

#include <string>

#include "module.h"

namespace roipool::fake_cuda {

struct Opcode {
  Op op;
  const char* modifiers;  // allowed ones, beside types
  int sources;            // operands after the destination; -1: special
};

// Null: not supported.
const Opcode* FindOpcode(const std::string& name);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_OPCODES_H_
