#ifndef ROIPOOL_TESTS_FAKE_CUDA_LEXER_H_
#define ROIPOOL_TESTS_FAKE_CUDA_LEXER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roipool::fake_cuda {

struct ParseError {
  int line;
  std::string what;
};

struct Token {
  enum Kind : uint8_t { kEnd, kWord, kPunct, kStr } kind = kEnd;
  std::string s;
  int line = 0;
};

std::vector<Token> Tokenize(const std::string& source);
std::vector<std::string> Split(const std::string& text, char separator);

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_LEXER_H_
