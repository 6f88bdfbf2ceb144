#include "parser.h"

#include <cstdlib>

namespace roipool::fake_cuda {

// call{.uni} (ret), function, (arguments);
void Parser::ParseCall(Instruction& in) {
  std::vector<Operand> rets, args;
  auto list = [&](std::vector<Operand>& out) {
    Expect("(");
    if (!Is(")")) {
      do out.push_back(SimpleOperand());
      while (Accept(","));
    }
    Expect(")");
  };
  if (Is("(")) {
    list(rets);
    Expect(",");
  }
  std::string name = Word();
  if (Accept(",")) {
    if (Is("(")) list(args);
    if (Accept(",")) {  // the prototype of an indirect call
      Word();
    }
  }
  Expect(";");
  in.op = kOpCall;
  in.v = rets;
  in.v.insert(in.v.end(), args.begin(), args.end());
  in.mode = static_cast<uint8_t>(rets.size());
  call_fixups_.emplace_back(function_, function_->code.size(), name);
}

void Parser::ParseInstruction() {
  Instruction in;
  in.line = tokens_[position_].line;
  if (Accept("@")) {
    in.guard_neg = Accept("!");
    Operand o = SimpleOperand();
    if (o.kind != Operand::kReg) Fail("bad guard");
    in.guard = static_cast<int>(o.idx);
  }
  in.line = tokens_[position_].line;
  std::string opcode = Word();
  if (opcode == "call" || opcode == "call.uni") {
    ParseCall(in);
  } else {
    std::vector<RawOperand> ops;
    size_t start = position_;
    try {
      if (!Is(";")) {
        do ops.push_back(AnyOperand());
        while (Accept(","));
      }
      if (!Is(";")) Fail("expected ';'");
    } catch (ParseError& e) {
      // Operands of an unknown form: fine as long as it is not executed.
      position_ = start;
      while (!Is(";") && tokens_[position_].kind != Token::kEnd) position_++;
      in.why = "instruction " + opcode + " (" + e.what + ")";
      ops.clear();
    }
    Expect(";");
    std::string label;
    if (in.why.empty()) Decode(opcode, ops, &in, &label);
    if (in.op == kOpBra) branch_fixups_.emplace_back(function_->code.size(), label);
    if (in.op == kOpBrx) table_fixups_.emplace_back(function_->code.size(), label);
  }
  function_->code.push_back(std::move(in));
}

void Parser::ParseBody() {
  size_t depth = scopes_.size();
  for (;;) {
    if (tokens_[position_].kind == Token::kEnd) Fail("unexpected end");
    if (Accept("{")) {
      scopes_.emplace_back();
    } else if (Accept("}")) {
      if (scopes_.size() == depth) break;
      scopes_.pop_back();
    } else if (Is("@")) {
      ParseInstruction();
    } else if (tokens_[position_].kind == Token::kWord && tokens_[position_].s[0] == '.') {
      std::string s = tokens_[position_].s;
      if (s == ".loc" || s == ".file") {
        SkipLine();
      } else if (s == ".pragma") {
        SkipTo(";");
      } else if (s == ".reg") {
        position_++;
        Registers();
      } else if (s == ".param") {
        position_++;
        ParamDecl();
        Expect(";");
      } else if (s == ".local" || s == ".shared" || s == ".global" || s == ".const") {
        position_++;
        Variable(s.substr(1), false);
      } else {
        Fail("unsupported directive");
      }
    } else if (tokens_[position_].kind == Token::kWord && tokens_[position_ + 1].s == ":" &&
               tokens_[position_ + 1].kind == Token::kPunct) {
      std::string label = Word();
      position_++;
      if (Accept(".branchtargets")) {
        do tables_[label].push_back(Word());
        while (Accept(","));
        Expect(";");
      } else if (Is(".callprototype")) {
        SkipTo(";");
      } else {
        labels_[label] = static_cast<int>(function_->code.size());
      }
    } else {
      ParseInstruction();
    }
  }
}

void Parser::ParseFunction(bool entry) {
  auto f = std::make_unique<Function>();
  function_ = f.get();
  f->entry = entry;
  f->module = &module_;
  scopes_.emplace_back();
  auto list = [&](std::vector<ParamInfo>& out) {
    Expect("(");
    if (!Is(")")) {
      do {
        if (Accept(".param"))
          out.push_back(ParamDecl());
        else
          Fail("only .param parameters are supported");
      } while (Accept(","));
    }
    Expect(")");
  };
  if (!entry && Is("(")) list(f->rets);
  f->name = Word();
  if (Is("(")) list(f->params);
  f->entry_param_bytes = f->param_bytes;
  while (tokens_[position_].kind == Token::kWord) {
    std::string s = Word();
    uint32_t* dst = s == ".maxntid" ? f->maxntid : s == ".reqntid" ? f->reqntid : nullptr;
    if (dst) {
      int i = 0;
      dst[0] = dst[1] = dst[2] = 1;
      do dst[i++] = static_cast<uint32_t>(Integer());
      while (i < 3 && Accept(","));
    } else if (s == ".minnctapersm" || s == ".maxnctapersm" || s == ".maxnreg") {
      Integer();
    } else if (s != ".noreturn") {
      Fail("unsupported directive " + s);
    }
  }
  if (Accept("{")) {
    labels_.clear();
    tables_.clear();
    branch_fixups_.clear();
    table_fixups_.clear();
    scopes_.emplace_back();
    ParseBody();
    scopes_.pop_back();
    f->defined = true;
    Instruction ret;
    ret.op = kOpRet;
    ret.line = tokens_[position_ ? position_ - 1 : 0].line;
    f->code.push_back(ret);
    auto resolve = [&](const std::string& l, int line) {
      auto it = labels_.find(l);
      if (it == labels_.end()) throw ParseError{line, "unknown label " + l};
      return it->second;
    };
    for (auto& x : branch_fixups_) f->code[x.first].targets.push_back(resolve(x.second, f->code[x.first].line));
    for (auto& x : table_fixups_) {
      if (!tables_.count(x.second)) throw ParseError{f->code[x.first].line, "unknown table " + x.second};
      for (auto& l : tables_[x.second]) f->code[x.first].targets.push_back(resolve(l, f->code[x.first].line));
    }
  } else {
    Expect(";");
  }
  scopes_.pop_back();
  auto& slot = module_.funcs[f->name];
  if (!slot) {
    slot = std::move(f);
  } else if (f->defined) {
    // Keep the old object's address: calls may refer to it.
    *slot = std::move(*f);
    for (auto& x : call_fixups_)
      if (std::get<0>(x) == function_) std::get<0>(x) = slot.get();
  }
}

void Parser::Run() {
  scopes_.emplace_back();
  bool is_extern = false;
  while (tokens_[position_].kind != Token::kEnd) {
    std::string s = Word();
    if (s == ".version") {
      Word();
    } else if (s == ".target") {
      std::string target = Word();
      if (target.compare(0, 3, "sm_") == 0) module_.target = atoi(target.c_str() + 3);
      while (Accept(",")) Word();
    } else if (s == ".address_size") {
      if (Integer() != 64) Fail("only 64-bit addresses are supported");
    } else if (s == ".file") {
      position_--;
      SkipLine();
    } else if (s == ".visible" || s == ".weak" || s == ".common" || s == ".extern") {
      is_extern = s == ".extern";
      continue;
    } else if (s == ".entry" || s == ".func") {
      ParseFunction(s == ".entry");
    } else if (s == ".global" || s == ".const" || s == ".shared") {
      Variable(s.substr(1), is_extern);
    } else if (s == ".section") {
      SkipTo("}");
    } else if (s == ".pragma") {
      SkipTo(";");
    } else {
      position_--;
      Fail("unsupported directive");
    }
    is_extern = false;
  }
  for (auto& x : call_fixups_) {
    Instruction& in = std::get<0>(x)->code[std::get<1>(x)];
    auto it = module_.funcs.find(std::get<2>(x));
    Function* callee = it == module_.funcs.end() ? nullptr : it->second.get();
    if (!callee || !callee->defined) {
      in.op = kOpBad;
      in.why = "call of " + std::get<2>(x) + ", which is not defined in the module";
    } else if (callee->rets.size() + callee->params.size() != in.v.size()) {
      throw ParseError{in.line, "wrong number of arguments for " + callee->name};
    } else {
      in.callee = callee;
    }
  }
}

}  // namespace roipool::fake_cuda
