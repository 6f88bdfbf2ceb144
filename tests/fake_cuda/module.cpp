#include "module.h"

#include <algorithm>

namespace roipool::fake_cuda {

std::string Module::Text(int line) const {
  if (line < 1 || static_cast<size_t>(line) > lines.size()) return "";
  const std::string& s = lines[line - 1];
  size_t b = s.find_first_not_of(" \t"), e = s.find_last_not_of(" \t\r");
  std::string t = b == std::string::npos ? "" : s.substr(b, e - b + 1);
  std::replace(t.begin(), t.end(), '\t', ' ');
  return t;
}

}  // namespace roipool::fake_cuda
