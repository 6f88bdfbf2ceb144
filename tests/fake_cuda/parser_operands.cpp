#include <bit>
#include <cstdlib>

#include "parser.h"

namespace roipool::fake_cuda {

void Parser::SkipLine() {
  int line = tokens_[position_].line;
  while (tokens_[position_].kind != Token::kEnd && tokens_[position_].line == line) position_++;
}

void Parser::SkipTo(const char* s) {
  while (tokens_[position_].kind != Token::kEnd && !Is(s)) position_++;
  Expect(s);
}

Operand Parser::Number(const std::string& s, bool minus) {
  Operand o;
  o.kind = Operand::kImm;
  const char* b = s.c_str();
  char* end = nullptr;
  if (s.size() == 10 && (s.compare(0, 2, "0f") == 0 || s.compare(0, 2, "0F") == 0)) {
    o.imm = strtoull(b + 2, &end, 16);
    o.literal = 4;
    if (minus) o.imm ^= 0x80000000u;
  } else if (s.size() == 18 && (s.compare(0, 2, "0d") == 0 || s.compare(0, 2, "0D") == 0)) {
    o.imm = strtoull(b + 2, &end, 16);
    o.literal = 8;
    if (minus) o.imm ^= 1ull << 63;
  } else if (s.find('.') != std::string::npos) {
    double d = strtod(b, &end);
    o.imm = std::bit_cast<uint64_t>(minus ? -d : d);
    o.literal = 8;
  } else {
    if (s.size() > 2 && (s[1] == 'b' || s[1] == 'B') && s[0] == '0')
      o.imm = strtoull(b + 2, &end, 2);
    else
      o.imm = strtoull(b, &end, 0);
    if (*end == 'U') end++;
    if (minus) o.imm = 0 - o.imm;
  }
  if (!end || *end) Fail("bad number " + s);
  return o;
}

uint64_t Parser::Integer() {
  bool minus = Accept("-");
  std::string s = Word();
  if (!Numeric(s)) Fail("expected an integer");
  return Number(s, minus).imm;
}

const Parser::Symbol* Parser::Find(const std::string& name) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    auto it = scopes_[i].find(name);
    if (it != scopes_[i].end()) return &it->second;
  }
  return nullptr;
}

bool Parser::Special(const std::string& s, uint32_t& id) {
  static const std::unordered_map<std::string, uint32_t> m = {{"%tid.x", kSpecialTidX},
                                                              {"%tid.y", kSpecialTidY},
                                                              {"%tid.z", kSpecialTidZ},
                                                              {"%ntid.x", kSpecialNtidX},
                                                              {"%ntid.y", kSpecialNtidY},
                                                              {"%ntid.z", kSpecialNtidZ},
                                                              {"%ctaid.x", kSpecialCtaX},
                                                              {"%ctaid.y", kSpecialCtaY},
                                                              {"%ctaid.z", kSpecialCtaZ},
                                                              {"%nctaid.x", kSpecialNctaX},
                                                              {"%nctaid.y", kSpecialNctaY},
                                                              {"%nctaid.z", kSpecialNctaZ},
                                                              {"%laneid", kSpecialLane},
                                                              {"%warpid", kSpecialWarp},
                                                              {"%nwarpid", kSpecialNwarp},
                                                              {"%lanemask_eq", kSpecialLaneEq},
                                                              {"%lanemask_le", kSpecialLaneLe},
                                                              {"%lanemask_lt", kSpecialLaneLt},
                                                              {"%lanemask_ge", kSpecialLaneGe},
                                                              {"%lanemask_gt", kSpecialLaneGt},
                                                              {"%clock", kSpecialClock},
                                                              {"%clock64", kSpecialClock},
                                                              {"%globaltimer", kSpecialClock},
                                                              {"%dynamic_smem_size", kSpecialDynShared},
                                                              {"%total_smem_size", kSpecialTotalShared},
                                                              {"%smid", kSpecialZero},
                                                              {"%gridid", kSpecialZero}};
  auto it = m.find(s);
  if (it == m.end()) return false;
  id = it->second;
  return true;
}

bool Parser::Named(const std::string& s, Operand& o) {
  if (s == "_") {
    o.kind = Operand::kSink;
    return true;
  }
  if (const Symbol* sym = Find(s)) {
    switch (sym->kind) {
      case Symbol::kReg:
        o.kind = Operand::kReg;
        o.idx = static_cast<uint32_t>(sym->value);
        return true;
      case Symbol::kGlobal:
      case Symbol::kShared:
        o.kind = Operand::kImm;
        o.imm = sym->value;
        return true;
      case Symbol::kLocal:
        o.kind = Operand::kLocalVar;
        o.imm = sym->value;
        return true;
      case Symbol::kParam:
        o.kind = Operand::kParamVar;
        o.imm = sym->value;
        return true;
    }
  }
  if (Special(s, o.idx)) {
    o.kind = Operand::kSpecial;
    return true;
  }
  if (s == "WARP_SZ") {
    o.kind = Operand::kImm;
    o.imm = 32;
    return true;
  }
  return false;
}

Operand Parser::SimpleOperand() {
  Operand o;
  bool negate = Accept("!"), minus = Accept("-");
  std::string s = Word();
  if (Numeric(s))
    o = Number(s, minus);
  else if (!Named(s, o)) {
    position_--;
    Fail("unknown name");
  }
  if (o.kind == Operand::kImm || o.kind == Operand::kLocalVar || o.kind == Operand::kParamVar) {
    if (Is("+") && !Numeric(s)) {
      position_++;
      o.imm += Integer();
    }
  }
  o.negate = negate;
  return o;
}

RawOperand Parser::AnyOperand() {
  RawOperand r;
  if (Accept("[")) {
    r.kind = RawOperand::kMemory;
    bool minus = Accept("-");
    std::string s = Word();
    if (Numeric(s))
      r.o = Number(s, minus);
    else if (!Named(s, r.o)) {
      position_--;
      Fail("unknown name");
    }
    if (Accept("+"))
      r.off = static_cast<int64_t>(Integer());
    else if (Is("-"))
      r.off = static_cast<int64_t>(Integer());
    Expect("]");
    return r;
  }
  if (Accept("{")) {
    r.kind = RawOperand::kVector;
    do r.v.push_back(SimpleOperand());
    while (Accept(","));
    Expect("}");
    return r;
  }
  if (tokens_[position_].kind == Token::kWord && !Numeric(tokens_[position_].s)) {
    Operand o;
    if (!Named(tokens_[position_].s, o)) {
      r.kind = RawOperand::kName;
      r.name = Word();
      return r;
    }
  }
  r.o = SimpleOperand();
  if (Accept("|")) {
    r.o2 = SimpleOperand();
    r.has2 = true;
  }
  return r;
}

}  // namespace roipool::fake_cuda
