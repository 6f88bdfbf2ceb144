// Random numbers that are the same on every machine and in every run, until somebody asks for others.
#ifndef ROIPOOL_TESTS_SUPPORT_SEEDED_RANDOM_H_
#define ROIPOOL_TESTS_SUPPORT_SEEDED_RANDOM_H_

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace roipool::test {

/// Added to every seed; 0 unless the environment variable ROIPOOL_TEST_SEED says otherwise.
inline uint64_t BaseSeed() {
  static const uint64_t seed = [] {
    const char* text = std::getenv("ROIPOOL_TEST_SEED");
    return text == nullptr ? uint64_t{0} : static_cast<uint64_t>(std::strtoull(text, nullptr, 10));
  }();
  return seed;
}

/// How to see the same numbers again; goes into every failure.
inline std::string ReplayHint() { return "replay with ROIPOOL_TEST_SEED=" + std::to_string(BaseSeed()); }

class SeededRandom {
 public:
  explicit SeededRandom(uint64_t seed) : engine_(seed + BaseSeed()) {}

  /// A whole number in [lowest, highest].
  int64_t Whole(int64_t lowest, int64_t highest) {
    // Not std::uniform_int_distribution, whose numbers differ between standard libraries. The bias of % is of no matter here.
    return lowest + static_cast<int64_t>(engine_() % static_cast<uint64_t>(highest - lowest + 1));
  }
  /// A number in [0, 1).
  double Fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// A number in [lowest, highest).
  double Between(double lowest, double highest) { return lowest + (highest - lowest) * Fraction(); }
  bool Chance(double share) { return Fraction() < share; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_SEEDED_RANDOM_H_
