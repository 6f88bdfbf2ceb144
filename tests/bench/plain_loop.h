// What this library is compared with: the best single-threaded loop, and the memory itself.
#ifndef ROIPOOL_TESTS_BENCH_PLAIN_LOOP_H_
#define ROIPOOL_TESTS_BENCH_PLAIN_LOOP_H_

#include <cstdint>

#include "array.h"

namespace roipool::bench {

struct BenchInputs;

/// What one would write without this library, float32: memory order, one thread, addresses out of the inner loop.
void RunPlainLoop(const BenchInputs& inputs, cli::Array& grad_input);

/// Reads all of `array` once, with `threads` threads. The result depends on every byte.
uint64_t ReadOnce(const cli::Array& array, int threads);

}  // namespace roipool::bench

#endif  // ROIPOOL_TESTS_BENCH_PLAIN_LOOP_H_
