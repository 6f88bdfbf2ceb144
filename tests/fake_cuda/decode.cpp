#include "decode.h"

#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "opcodes.h"
#include "report.h"

namespace roipool::fake_cuda {
namespace {

Operand LiteralFor(Operand o, Type type) {
  if (o.kind == Operand::kImm && o.literal) {
    if (type == kF32 && o.literal == 8) o.imm = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(o.imm)));
    if (type == kF64 && o.literal == 4)
      o.imm = std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(o.imm))));
  }
  return o;
}

Operand EveryLane() {
  Operand lanes;
  lanes.kind = Operand::kImm;
  lanes.imm = 0xffffffffu;
  return lanes;
}

class Decoder {
 public:
  Decoder(Instruction& in, const std::string& opcode, std::vector<RawOperand>& operands, std::string* label)
      : in_(in), opcode_(opcode), operands_(operands), label_(label) {}
  void Run();

 private:
  // False, with the reason in the instruction: not supported.
  bool ReadModifiers();
  void SetFlags();
  void Mov();
  void LoadOrStore();
  void Atomic();
  void Comparison();
  void Barrier();
  void Shuffle();
  void Vote();
  void Reduction();
  void SetMode();
  void PlainOperands();
  void CheckTypes();

  bool Has(const char* modifier) const {
    for (const std::string& name : modifiers_)
      if (name == modifier) return true;
    return false;
  }
  void Bad(const std::string& why) {
    in_.op = kOpBad;
    in_.why = why;
  }
  void Need(size_t least, size_t most) const {
    if (operands_.size() < least || operands_.size() > most)
      throw ParseError{in_.line, "wrong number of operands of " + opcode_};
  }
  Operand Plain(size_t i) const {
    if (operands_[i].kind != RawOperand::kSimple)
      throw ParseError{in_.line, Format("operand %zu of ", i + 1) + opcode_ + " is not a register or number"};
    return LiteralFor(operands_[i].o, in_.type);
  }
  void Label(size_t i, const char* missing) {
    if (operands_[i].kind != RawOperand::kName) throw ParseError{in_.line, missing};
    *label_ = operands_[i].name;
  }

  Instruction& in_;
  const std::string& opcode_;
  std::vector<RawOperand>& operands_;
  std::string* label_;
  const Opcode* info_ = nullptr;
  std::string name_;
  std::vector<std::string> modifiers_;  // in the order that they are written in
};

bool Decoder::ReadModifiers() {
  std::vector<std::string> parts = Split(opcode_, '.');
  name_ = parts[0];
  info_ = FindOpcode(name_);
  if (info_ == nullptr) {
    in_.why = "instruction " + opcode_;
    return false;
  }
  for (size_t i = 1; i < parts.size(); i++) {
    Type type = TypeNamed(parts[i]);
    if (type != kNone) {
      (in_.type == kNone ? in_.type : in_.type2) = type;
    } else if (std::strstr(info_->modifiers, (" " + parts[i] + " ").c_str())) {
      modifiers_.push_back(parts[i]);
    } else {
      in_.why = "modifier ." + parts[i] + " of " + opcode_;
      return false;
    }
  }
  return true;
}

void Decoder::SetFlags() {
  in_.sat = Has("sat");
  in_.ftz = Has("ftz");
  in_.hi = Has("hi");
  in_.wide = Has("wide");
  in_.nan = Has("NaN");
  in_.cc_out = Has("cc");
  in_.cc_in = name_ == "addc" || name_ == "subc" || name_ == "madc";
  in_.approx = Has("approx") || Has("full");
  in_.to = Has("to");
  in_.rnd = Has("rz") || Has("rzi")   ? kRoundTowardZero
            : Has("rm") || Has("rmi") ? kRoundDown
            : Has("rp") || Has("rpi") ? kRoundUp
                                      : kRoundNearest;
  in_.to_int = Has("rni") || Has("rzi") || Has("rmi") || Has("rpi");
  if (Has("global"))
    in_.space = kGlobal;
  else if (Has("shared") || Has("shared::cta"))
    in_.space = kShared;
  else if (Has("local"))
    in_.space = kLocal;
  else if (Has("param") || Has("param::entry") || Has("param::func"))
    in_.space = kParam;
  else if (Has("const"))
    in_.space = kConst;
  in_.vec = Has("v2") ? 2 : Has("v4") ? 4 : Has("v8") ? 8 : 1;
}

void Decoder::Mov() {
  Need(2, 2);
  if (operands_[0].kind == RawOperand::kVector) {
    in_.op = kOpUnpack;
    in_.v = operands_[0].v;
    in_.a = Plain(1);
  } else if (operands_[1].kind == RawOperand::kVector) {
    in_.op = kOpPack;
    in_.v = operands_[1].v;
    in_.d = Plain(0);
  } else if (operands_[1].kind == RawOperand::kName) {
    return Bad("taking the address of " + operands_[1].name);
  } else {
    in_.d = Plain(0);
    in_.a = Plain(1);
  }
  if (!in_.v.empty() && TypeSize(in_.type) % in_.v.size()) return Bad(opcode_);
}

void Decoder::LoadOrStore() {
  Need(2, 3);
  if (operands_.size() == 3) return Bad("cache policy operand of " + opcode_);
  RawOperand &data = operands_[info_->op == kOpLd ? 0 : 1], &mem = operands_[info_->op == kOpLd ? 1 : 0];
  if (mem.kind != RawOperand::kMemory) throw ParseError{in_.line, opcode_ + " without an address"};
  in_.a = mem.o;
  in_.off = mem.off;
  if (data.kind == RawOperand::kVector)
    in_.v = data.v;
  else
    in_.v = {data.o};
  for (Operand& o : in_.v) o = LiteralFor(o, in_.type);
  if (in_.v.size() != in_.vec) throw ParseError{in_.line, "vector size of " + opcode_};
  if (in_.type == kNone || in_.type == kPred) return Bad(opcode_);
}

void Decoder::Atomic() {
  static const std::unordered_map<std::string, AtomOp> kinds = {
      {"and", kAtomAnd}, {"or", kAtomOr},   {"xor", kAtomXor}, {"add", kAtomAdd},   {"inc", kAtomInc},
      {"dec", kAtomDec}, {"min", kAtomMin}, {"max", kAtomMax}, {"exch", kAtomExch}, {"cas", kAtomCas}};
  bool found = false;
  for (auto& s : modifiers_) {
    auto k = kinds.find(s);
    if (k != kinds.end()) {
      in_.sub = k->second;
      found = true;
    }
  }
  size_t first = info_->op == kOpAtom ? 1 : 0;
  size_t want = first + (in_.sub == kAtomCas ? 3 : 2);
  if (!found || in_.vec != 1 || operands_.size() != want || operands_[first].kind != RawOperand::kMemory) return Bad(opcode_);
  int n = TypeSize(in_.type);
  bool ok = n == 4 || n == 8 || (n == 2 && (in_.sub == kAtomCas || in_.sub == kAtomAdd));
  if (IsFloat(in_.type) && in_.sub != kAtomAdd && in_.sub != kAtomExch) ok = false;
  if ((in_.sub == kAtomInc || in_.sub == kAtomDec) && n != 4) ok = false;
  if (!ok) return Bad(opcode_);
  if (info_->op == kOpAtom) in_.d = operands_[0].kind == RawOperand::kSimple ? operands_[0].o : Operand();
  in_.a = operands_[first].o;
  in_.off = operands_[first].off;
  in_.b = Plain(first + 1);
  if (in_.sub == kAtomCas) in_.c = Plain(first + 2);
}

void Decoder::Comparison() {
  static const std::unordered_map<std::string, Cmp> cmps = {
      {"eq", kEq},   {"ne", kNe},   {"lt", kLt},   {"le", kLe},   {"gt", kGt},   {"ge", kGe},
      {"lo", kLt},   {"ls", kLe},   {"hi", kGt},   {"hs", kGe},   {"equ", kEqu}, {"neu", kNeu},
      {"ltu", kLtu}, {"leu", kLeu}, {"gtu", kGtu}, {"geu", kGeu}, {"num", kNum}, {"nan", kNan}};
  if (modifiers_.empty() || !cmps.count(modifiers_[0])) return Bad(opcode_);
  in_.cmp = cmps.at(modifiers_[0]);
  in_.boolop = Has("and") ? kBoolAnd : Has("or") ? kBoolOr : Has("xor") ? kBoolXor : kBoolNone;
  Need(in_.boolop ? 4 : 3, in_.boolop ? 4 : 3);
  if (info_->op == kOpSet) std::swap(in_.type, in_.type2);  // type: of the sources
  if (in_.type == kNone) return Bad(opcode_);
  in_.d = operands_[0].o;
  if (operands_[0].has2) in_.d2 = operands_[0].o2;
  in_.a = Plain(1);
  in_.b = Plain(2);
  if (in_.boolop) in_.c = Plain(3);
  in_.hi = false;
}

void Decoder::Barrier() {
  if (Has("warp")) {
    in_.op = kOpWarpBar;
    Need(1, 1);
    in_.a = Plain(0);
    return;
  }
  if (!Has("sync")) return Bad(opcode_);
  Need(1, 2);
  in_.a = Plain(0);
  if (operands_.size() > 1) in_.b = Plain(1);
}

void Decoder::Shuffle() {
  in_.mode = Has("up") ? kShflUp : Has("down") ? kShflDown : Has("bfly") ? kShflBfly : kShflIdx;
  Need(Has("sync") ? 5 : 4, Has("sync") ? 5 : 4);
  if (TypeSize(in_.type) != 4) return Bad(opcode_);
  in_.d = operands_[0].o;
  if (operands_[0].has2) in_.d2 = operands_[0].o2;
  in_.a = Plain(1);
  in_.b = Plain(2);
  in_.c = Plain(3);
  in_.e = Has("sync") ? Plain(4) : EveryLane();
}

void Decoder::Vote() {
  in_.mode = Has("ballot") ? kVoteBallot : Has("all") ? kVoteAll : Has("any") ? kVoteAny : kVoteUni;
  Need(Has("sync") ? 3 : 2, Has("sync") ? 3 : 2);
  in_.d = operands_[0].o;
  in_.a = Plain(1);
  in_.e = Has("sync") ? Plain(2) : EveryLane();
}

void Decoder::Reduction() {
  Need(3, 3);
  in_.sub = Has("add")   ? kAtomAdd
            : Has("min") ? kAtomMin
            : Has("max") ? kAtomMax
            : Has("and") ? kAtomAnd
            : Has("or")  ? kAtomOr
                         : kAtomXor;
  in_.d = operands_[0].o;
  in_.a = Plain(1);
  in_.e = Plain(2);
}

void Decoder::SetMode() {
  switch (info_->op) {
    case kOpTestp: {
      static const char* const names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
      for (int i = 0; i < 6; i++)
        if (Has(names[i])) in_.mode = static_cast<uint8_t>(i);
      break;
    }
    case kOpShf:
      in_.mode = (Has("r") ? 1 : 0) | (Has("clamp") ? 2 : 0);
      break;
    case kOpBfind:
      in_.mode = Has("shiftamt");
      break;
    default:
      break;
  }
}

void Decoder::PlainOperands() {
  Need(static_cast<size_t>(info_->sources) + 1, static_cast<size_t>(info_->sources) + 1);
  in_.d = operands_[0].o;
  if (operands_[0].kind != RawOperand::kSimple || operands_[0].has2) return Bad(opcode_);
  Operand* src[] = {&in_.a, &in_.b, &in_.c, &in_.e};
  for (int i = 0; i < info_->sources; i++) *src[i] = Plain(static_cast<size_t>(i) + 1);
  CheckTypes();
}

void Decoder::CheckTypes() {
  // PTX has no such instruction for these types, but for those that the README lists as not supported.
  bool fl = IsFloat(in_.type);
  switch (in_.op) {
    case kOpRem:
    case kOpSad:
    case kOpPopc:
    case kOpClz:
    case kOpBfind:
    case kOpBrev:
    case kOpBfe:
    case kOpBfi:
    case kOpCnot:
    case kOpShl:
    case kOpShr:
    case kOpShf:
    case kOpLop3:
    case kOpPrmt:
    case kOpDp4a:
    case kOpDp2a:
      if (fl || in_.type == kNone || in_.type == kPred) return Bad(opcode_);
      break;
    case kOpFma:
    case kOpRcp:
    case kOpSqrt:
    case kOpRsqrt:
    case kOpSin:
    case kOpCos:
    case kOpLg2:
    case kOpEx2:
    case kOpTanh:
    case kOpCopysign:
    case kOpTestp:
      if (!fl) return Bad(opcode_);
      break;
    case kOpCvt:
      if (in_.type == kNone || in_.type2 == kNone || in_.type == kPred || in_.type2 == kPred) return Bad(opcode_);
      in_.a = operands_[1].kind == RawOperand::kSimple ? LiteralFor(operands_[1].o, in_.type2) : in_.a;
      break;
    case kOpCvta:
    case kOpIsspacep:
      if (in_.space == kGeneric) return Bad(opcode_);
      break;
    case kOpMul:
    case kOpMad:
      if (!fl && !in_.wide && !in_.hi && !Has("lo")) return Bad(opcode_);
      break;
    case kOpAdd:
    case kOpSub:
      if (in_.sat && !fl && in_.type != kS32) return Bad(opcode_);
      break;
    default:
      break;
  }
  if (in_.type == kNone && in_.op != kOpActivemask && in_.op != kOpIsspacep) return Bad(opcode_);
}

void Decoder::Run() {
  if (!ReadModifiers()) return;
  SetFlags();
  in_.op = info_->op;
  if (IsFloat(in_.type) && in_.cc_in) return Bad(opcode_);
  switch (info_->op) {
    case kOpMov:
      return Mov();
    case kOpLd:
    case kOpSt:
      return LoadOrStore();
    case kOpAtom:
    case kOpRed:
      return Atomic();
    case kOpSetp:
    case kOpSet:
      return Comparison();
    case kOpBra:
      Need(1, 1);
      return Label(0, "bra without a label");
    case kOpBrx:
      Need(2, 2);
      in_.a = operands_[0].o;
      return Label(1, "brx.idx without a table");
    case kOpBar:
      return Barrier();
    case kOpShfl:
      return Shuffle();
    case kOpVote:
      return Vote();
    case kOpRedux:
      return Reduction();
    case kOpRet:
    case kOpExit:
    case kOpTrap:
    case kOpNop:
      return;
    default:
      SetMode();
      return PlainOperands();
  }
}

}  // namespace

void Decode(const std::string& opcode, std::vector<RawOperand>& operands, Instruction* in, std::string* label) {
  Decoder(*in, opcode, operands, label).Run();
}

}  // namespace roipool::fake_cuda
