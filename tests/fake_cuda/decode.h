#ifndef ROIPOOL_TESTS_FAKE_CUDA_DECODE_H_
#define ROIPOOL_TESTS_FAKE_CUDA_DECODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lexer.h"
#include "module.h"

namespace roipool::fake_cuda {

// An operand as written.
struct RawOperand {
  enum Kind : uint8_t { kSimple, kMemory, kVector, kName } kind = kSimple;
  Operand o, o2;  // o2: the second of p|q
  bool has2 = false;
  int64_t off = 0;         // kMemory
  std::vector<Operand> v;  // kVector
  std::string name;        // kName: a label or a function
};

// Fills in an instruction from its opcode and operands. What is not supported becomes kOpBad, which is an error when it is
// executed; throws ParseError for what no assembler would take. label: where a branch goes.
void Decode(const std::string& opcode, std::vector<RawOperand>& operands, Instruction* in, std::string* label);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_DECODE_H_
