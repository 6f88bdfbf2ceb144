// One rule of phase 1, broken: what to change in arguments that are in order, and what the library must say about it.
#ifndef ROIPOOL_TESTS_UNIT_BROKEN_RULE_H_
#define ROIPOOL_TESTS_UNIT_BROKEN_RULE_H_

#include <functional>
#include <ostream>
#include <string>

#include "roipool/options.h"
#include "status_matchers.h"

namespace roipool::test {

template <typename Args>
struct BrokenRule {
  const char* name;
  std::function<void(Args&, Options&)> break_it;
  StatusCode code;
  Texts texts;  ///< The argument, its value, the rule.
};

template <typename Args>
void PrintTo(const BrokenRule<Args>& rule, std::ostream* out) {
  *out << rule.name;
}

template <typename Args>
std::string RuleName(const testing::TestParamInfo<BrokenRule<Args>>& info) {
  return info.param.name;
}

/// What every message has in common: one line, with the function in front.
inline void ExpectMessageForm(const Status& status, const std::string& function) {
  const std::string message = status.message();
  EXPECT_EQ(message.rfind(function + ": ", 0), 0u) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_GT(message.size(), function.size() + 10) << message;
  EXPECT_LT(message.size(), Status::kMaxMessage) << message;
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_UNIT_BROKEN_RULE_H_
