#include "plain_loop.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "bench_inputs.h"

namespace roipool::bench {
namespace {

// Independent sums, which the compiler turns into vectors.
uint64_t SumOf(const uint64_t* words, int64_t count) {
  constexpr int kSums = 32;
  uint64_t sums[kSums] = {};
  int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (int s = 0; s < kSums; ++s) sums[s] += words[i + s];
  }
  for (; i < count; ++i) sums[0] += words[i];
  uint64_t sum = 0;
  for (const uint64_t part : sums) sum += part;
  return sum;
}

}  // namespace

void RunPlainLoop(const BenchInputs& inputs, cli::Array& grad_input) {
  const Shape& shape = inputs.shape;
  const int64_t bins = shape.bins(), pixels = shape.pixels();
  const auto* rois = static_cast<const float*>(inputs.rois.data.get());
  const auto* grad_output = static_cast<const float*>(inputs.grad_output.data.get());
  const auto* argmax = static_cast<const int32_t*>(inputs.argmax.data.get());
  auto* output = static_cast<float*>(grad_input.data.get());
  std::fill_n(output, cli::ElementCount(grad_input), 0.0f);
  for (int64_t r = 0; r < shape.rois; ++r) {
    float* image = output + static_cast<int64_t>(rois[r * 5]) * shape.channels * pixels;
    for (int64_t c = 0; c < shape.channels; ++c) {
      const int64_t row = (r * shape.channels + c) * bins;
      const float* gradients = grad_output + row;
      const int32_t* targets = argmax + row;
      float* plane = image + c * pixels;
      for (int64_t j = 0; j < bins; ++j) {
        if (targets[j] >= 0) plane[targets[j]] += gradients[j];
      }
    }
  }
}

uint64_t ReadOnce(const cli::Array& array, int threads) {
  const auto* words = static_cast<const uint64_t*>(array.data.get());
  const int64_t count = cli::ElementCount(array) * cli::ElementSize(array.type) / static_cast<int64_t>(sizeof(uint64_t));
  std::atomic<uint64_t> sum = 0;
  std::vector<std::thread> others;
  const auto read_part = [&](int part) {
    const int64_t begin = count * part / threads, end = count * (part + 1) / threads;
    sum += SumOf(words + begin, end - begin);
  };
  for (int part = 1; part < threads; ++part) others.emplace_back(read_part, part);
  read_part(0);
  for (std::thread& other : others) other.join();
  return sum;
}

}  // namespace roipool::bench
