// Options of our own beside those of Google Benchmark.
#ifndef ROIPOOL_TESTS_BENCH_TAKE_OPTION_H_
#define ROIPOOL_TESTS_BENCH_TAKE_OPTION_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roipool::bench {

/// Takes "--name value" out of the arguments; empty if it is not there.
inline std::string TakeOption(std::vector<char*>& arguments, std::string_view name) {
  for (size_t i = 1; i + 1 < arguments.size(); ++i) {
    if (arguments[i] != name) continue;
    const std::string value = arguments[i + 1];
    const auto option = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(option, option + 2);
    return value;
  }
  return {};
}

}  // namespace roipool::bench

#endif  // ROIPOOL_TESTS_BENCH_TAKE_OPTION_H_
