#include "lexer.h"

#include <cctype>

namespace roipool::fake_cuda {

std::vector<Token> Tokenize(const std::string& src) {
  std::vector<Token> out;
  int line = 1;
  size_t i = 0, n = src.size();
  auto word_char = [](char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
  };
  while (i < n) {
    char c = src[i];
    if (c == '\n') {
      line++;
      i++;
    } else if (isspace(static_cast<unsigned char>(c))) {
      i++;
    } else if (src.compare(i, 2, "//") == 0) {
      while (i < n && src[i] != '\n') i++;
    } else if (src.compare(i, 2, "/*") == 0) {
      while (i < n && src.compare(i, 2, "*/") != 0) line += src[i++] == '\n';
      i += 2;
    } else if (c == '"') {
      size_t j = i + 1;
      while (j < n && src[j] != '"') j += src[j] == '\\' ? 2 : 1;
      out.push_back({Token::kStr, src.substr(i + 1, j - i - 1), line});
      i = j + 1;
    } else if (word_char(c)) {
      size_t j = i;
      while (j < n && (word_char(src[j]) || src.compare(j, 2, "::") == 0)) j += src[j] == ':' ? 2 : 1;
      out.push_back({Token::kWord, src.substr(i, j - i), line});
      i = j;
    } else {
      out.push_back({Token::kPunct, std::string(1, c), line});
      i++;
    }
  }
  out.push_back({Token::kEnd, "", line});
  return out;
}

std::vector<std::string> Split(const std::string& s, char sep) {
  std::vector<std::string> out;
  size_t b = 0;
  for (;;) {
    size_t e = s.find(sep, b);
    out.push_back(s.substr(b, e == std::string::npos ? e : e - b));
    if (e == std::string::npos) return out;
    b = e + 1;
  }
}

}  // namespace roipool::fake_cuda
