#ifndef ROIPOOL_TESTS_FAKE_CUDA_PARSER_H_
#define ROIPOOL_TESTS_FAKE_CUDA_PARSER_H_

#include <cctype>
#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decode.h"
#include "lexer.h"
#include "module.h"

namespace roipool::fake_cuda {

// Fills in a module from PTX text; throws ParseError.
class Parser {
 public:
  Parser(Module& module, const std::string& source) : module_(module), tokens_(Tokenize(source)) {}
  void Run();

 private:
  struct Symbol {
    enum Kind : uint8_t { kReg, kGlobal, kShared, kLocal, kParam } kind;
    uint64_t value;
  };

  [[noreturn]] void Fail(const std::string& what) const {
    throw ParseError{tokens_[position_].line, what + " near '" + tokens_[position_].s + "'"};
  }
  bool Is(const char* s) const { return tokens_[position_].kind != Token::kStr && tokens_[position_].s == s; }
  bool Accept(const char* s) {
    if (!Is(s) || tokens_[position_].kind == Token::kEnd) return false;
    position_++;
    return true;
  }
  void Expect(const char* s) {
    if (!Accept(s)) Fail(std::string("expected '") + s + "'");
  }
  std::string Word() {
    if (tokens_[position_].kind != Token::kWord) Fail("expected a word");
    return tokens_[position_++].s;
  }
  void SkipLine();
  void SkipTo(const char* s);
  static bool Numeric(const std::string& s) { return isdigit(static_cast<unsigned char>(s[0])); }
  Operand Number(const std::string& s, bool minus);
  uint64_t Integer();
  const Symbol* Find(const std::string& name) const;
  static bool Special(const std::string& s, uint32_t& id);
  // A word as an operand; false if it is not known (a label or a function).
  bool Named(const std::string& s, Operand& o);
  Operand SimpleOperand();
  RawOperand AnyOperand();
  static uint32_t AlignUp(uint32_t x, uint32_t a) { return (x + a - 1) / a * a; }
  // One formal parameter, or a .param variable in a body; the position is after ".param".
  ParamInfo ParamDecl();
  // A variable; the position is after the state space.
  void Variable(const std::string& space, bool is_extern);
  void Registers();
  void ParseInstruction();
  void ParseCall(Instruction& in);
  void ParseFunction(bool entry);
  void ParseBody();

  Module& module_;
  std::vector<Token> tokens_;
  size_t position_ = 0;
  std::vector<std::unordered_map<std::string, Symbol>> scopes_;
  Function* function_ = nullptr;
  std::unordered_map<std::string, int> labels_;
  std::unordered_map<std::string, std::vector<std::string>> tables_;
  std::vector<std::pair<size_t, std::string>> branch_fixups_;            // branch -> label
  std::vector<std::pair<size_t, std::string>> table_fixups_;             // brx.idx -> table
  std::vector<std::tuple<Function*, size_t, std::string>> call_fixups_;  // call -> function
};

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_PARSER_H_
