#include <algorithm>
#include <bit>
#include <cstring>

#include "parser.h"

namespace roipool::fake_cuda {

ParamInfo Parser::ParamDecl() {
  ParamInfo pi;
  uint32_t align = 0, elem = 0;
  for (;;) {
    if (tokens_[position_].kind != Token::kWord || tokens_[position_].s[0] != '.') break;
    std::string s = Word().substr(1);
    if (s == "align") {
      align = static_cast<uint32_t>(Integer());
    } else if (TypeNamed(s) != kNone) {
      elem = static_cast<uint32_t>(TypeSize(TypeNamed(s)));
    } else if (s != "ptr" && s != "global" && s != "shared" && s != "const" && s != "local") {
      Fail("unsupported parameter attribute ." + s);
    }
  }
  if (!elem) Fail("parameter without a type");
  pi.name = Word();
  uint32_t count = 1;
  if (Accept("[")) {
    count = Is("]") ? 0 : static_cast<uint32_t>(Integer());
    Expect("]");
  }
  pi.size = elem * count;
  // The alignment of a pointer's target (.ptr .align) is not that of the parameter itself.
  pi.off = AlignUp(function_->param_bytes, std::max(elem, count > 1 ? align : 0));
  function_->param_bytes = pi.off + pi.size;
  scopes_.back()[pi.name] = {Symbol::kParam, pi.off};
  return pi;
}

void Parser::Variable(const std::string& space, bool is_extern) {
  uint32_t align = 0;
  Type type = kNone;
  int vec = 1;
  for (;;) {
    if (tokens_[position_].kind != Token::kWord || tokens_[position_].s[0] != '.') break;
    std::string s = Word().substr(1);
    if (s == "align")
      align = static_cast<uint32_t>(Integer());
    else if (s == "v2" || s == "v4")
      vec = s[1] - '0';
    else if (TypeNamed(s) != kNone)
      type = TypeNamed(s);
    else
      Fail("unsupported attribute ." + s);
  }
  if (type == kNone) Fail("variable without a type");
  uint64_t elem = static_cast<uint64_t>(TypeSize(type)) * vec;
  do {
    std::string name = Word();
    uint64_t count = 1;
    bool open_array = false;
    while (Accept("[")) {
      if (Is("]"))
        open_array = true;
      else
        count *= Integer();
      Expect("]");
    }
    std::vector<uint64_t> init;
    if (Accept("=")) {
      std::vector<Token>::size_type depth = 0;
      do {
        while (Accept("{")) depth++;
        bool minus = Accept("-");
        std::string s = Word();
        if (!Numeric(s)) Fail("unsupported initialiser");
        Operand o = Number(s, minus);
        uint64_t v = o.imm;
        if (type == kF32 && o.literal == 8) v = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(v)));
        init.push_back(v);
        while (Accept("}")) depth--;
      } while (Accept(",") && depth > 0);
      if (open_array) count = init.size();
    }
    uint64_t bytes = elem * count;
    if (space == "local") {
      uint32_t off = AlignUp(function_->local_bytes, std::max<uint32_t>(align, static_cast<uint32_t>(elem)));
      function_->local_bytes = off + static_cast<uint32_t>(bytes);
      scopes_.back()[name] = {Symbol::kLocal, off};
    } else if (space == "shared") {
      if (open_array || is_extern) {
        scopes_.back()[name] = {Symbol::kShared, 0};  // dynamic shared memory
      } else {
        uint64_t addr =
            module_.shared.empty()
                ? kSharedStep
                : (module_.shared.back().addr + module_.shared.back().size + 2 * kSharedStep - 1) / kSharedStep * kSharedStep;
        module_.shared.push_back({name, addr, bytes});
        scopes_.back()[name] = {Symbol::kShared, addr};
      }
    } else {
      if (is_extern) Fail("unsupported extern variable " + name);
      Region* r = GlobalMemory().Create(bytes, "variable " + name);
      if (!r) Fail("no memory for variable " + name);
      memset(r->data, 0, bytes);
      r->MarkWritten(0, bytes);
      r->constant = space == "const";
      int es = TypeSize(type);
      for (size_t i = 0; i < init.size() && (i + 1) * es <= bytes; i++) memcpy(r->data + i * es, &init[i], es);
      module_.globals[name] = r;
      scopes_.back()[name] = {Symbol::kGlobal, r->base};
    }
  } while (Accept(","));
  Expect(";");
}

void Parser::Registers() {
  std::string s = Word();
  if (TypeNamed(s.substr(1)) == kNone) Fail("unsupported register type " + s);
  do {
    std::string name = Word();
    uint64_t count = 1;
    bool many = Accept("<");
    if (many) {
      count = Integer();
      Expect(">");
    }
    for (uint64_t i = 0; i < count; i++)
      scopes_.back()[many ? name + std::to_string(i) : name] = {Symbol::kReg, function_->nregs++};
  } while (Accept(","));
  Expect(";");
}

}  // namespace roipool::fake_cuda
