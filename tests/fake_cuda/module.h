#ifndef ROIPOOL_TESTS_FAKE_CUDA_MODULE_H_
#define ROIPOOL_TESTS_FAKE_CUDA_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_memory.h"
#include "types.h"

namespace roipool::fake_cuda {

enum Op : uint8_t {
  kOpBad,
  kOpMov,
  kOpPack,
  kOpUnpack,
  kOpLd,
  kOpSt,
  kOpAtom,
  kOpRed,
  kOpAdd,
  kOpSub,
  kOpMul,
  kOpMad,
  kOpFma,
  kOpDiv,
  kOpRem,
  kOpAbs,
  kOpNeg,
  kOpMin,
  kOpMax,
  kOpSad,
  kOpPopc,
  kOpClz,
  kOpBfind,
  kOpBrev,
  kOpBfe,
  kOpBfi,
  kOpAnd,
  kOpOr,
  kOpXor,
  kOpNot,
  kOpCnot,
  kOpShl,
  kOpShr,
  kOpShf,
  kOpLop3,
  kOpPrmt,
  kOpDp4a,
  kOpDp2a,
  kOpSetp,
  kOpSet,
  kOpSelp,
  kOpSlct,
  kOpCvt,
  kOpCvta,
  kOpIsspacep,
  kOpRcp,
  kOpSqrt,
  kOpRsqrt,
  kOpSin,
  kOpCos,
  kOpLg2,
  kOpEx2,
  kOpTanh,
  kOpCopysign,
  kOpTestp,
  kOpBra,
  kOpBrx,
  kOpCall,
  kOpRet,
  kOpExit,
  kOpTrap,
  kOpBar,
  kOpWarpBar,
  kOpNop,
  kOpShfl,
  kOpVote,
  kOpRedux,
  kOpActivemask
};
enum Space : uint8_t { kGeneric, kGlobal, kShared, kLocal, kParam, kConst };
enum RoundingMode : uint8_t { kRoundNearest, kRoundTowardZero, kRoundDown, kRoundUp };
enum Cmp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };
enum AtomOp : uint8_t { kAtomAnd, kAtomOr, kAtomXor, kAtomAdd, kAtomInc, kAtomDec, kAtomMin, kAtomMax, kAtomExch, kAtomCas };
enum BoolOp : uint8_t { kBoolNone, kBoolAnd, kBoolOr, kBoolXor };
enum ShflMode : uint8_t { kShflUp, kShflDown, kShflBfly, kShflIdx };
enum VoteMode : uint8_t { kVoteAll, kVoteAny, kVoteUni, kVoteBallot };

enum SpecialReg : uint32_t {
  kSpecialTidX,
  kSpecialTidY,
  kSpecialTidZ,
  kSpecialNtidX,
  kSpecialNtidY,
  kSpecialNtidZ,
  kSpecialCtaX,
  kSpecialCtaY,
  kSpecialCtaZ,
  kSpecialNctaX,
  kSpecialNctaY,
  kSpecialNctaZ,
  kSpecialLane,
  kSpecialWarp,
  kSpecialNwarp,
  kSpecialLaneEq,
  kSpecialLaneLe,
  kSpecialLaneLt,
  kSpecialLaneGe,
  kSpecialLaneGt,
  kSpecialClock,
  kSpecialDynShared,
  kSpecialTotalShared,
  kSpecialZero
};

struct Operand {
  enum Kind : uint8_t { kAbsent, kReg, kImm, kSpecial, kSink, kLocalVar, kParamVar } kind = kAbsent;
  bool negate = false;  // !p
  uint8_t literal = 0;  // of an immediate: 0 integer, 4 f32 bits, 8 f64 bits
  uint32_t idx = 0;
  uint64_t imm = 0;
};

struct Function;
struct Module;

struct Instruction {
  Op op = kOpBad;
  Type type = kNone, type2 = kNone;
  Space space = kGeneric;
  uint8_t vec = 1, cmp = 0, boolop = 0, rnd = kRoundNearest, mode = 0, sub = 0;
  bool sat = false, ftz = false, hi = false, wide = false, cc_out = false, cc_in = false, approx = false;
  bool to = false, to_int = false, guard_neg = false, nan = false;
  int guard = -1;
  Operand d, d2, a, b, c, e;
  int64_t off = 0;
  std::vector<Operand> v;    // vector elements, or arguments of a call
  std::vector<int> targets;  // branch targets
  Function* callee = nullptr;
  int line = 0;
  std::string why;  // of OpBad
};

struct ParamInfo {
  std::string name;
  uint32_t off = 0, size = 0;
};

struct Function {
  std::string name;
  bool entry = false, defined = false;
  std::vector<ParamInfo> params, rets;
  uint32_t nregs = 0, param_bytes = 0, entry_param_bytes = 0, local_bytes = 0;
  std::vector<Instruction> code;
  uint32_t maxntid[3] = {0, 0, 0}, reqntid[3] = {0, 0, 0};
  Module* module = nullptr;
};

struct SharedVar {
  std::string name;
  uint64_t addr = 0, size = 0;
};

struct Module {
  std::vector<std::string> lines;
  std::unordered_map<std::string, std::unique_ptr<Function>> funcs;
  std::unordered_map<std::string, Region*> globals;
  std::vector<SharedVar> shared;  // static ones
  int target = 0;

  // A line of the source, trimmed.
  std::string Text(int line) const;
};

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_MODULE_H_
