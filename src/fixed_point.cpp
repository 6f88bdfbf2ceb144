#include "fixed_point.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "call_context.h"
#include "tensor_layout.h"

namespace roipool::internal {
namespace {

constexpr int32_t kRoisPerTask = 8;

template <typename Bits>
Bits LargestOfRow(const Bits* gradients, const int32_t* argmax, int64_t bins, uint32_t pixels) noexcept {
  constexpr Bits kMagnitude = static_cast<Bits>(~Bits{0}) >> 1;
  Bits largest = 0;
  for (int64_t b = 0; b < bins; ++b) {
    const Bits magnitude = static_cast<uint32_t>(argmax[b]) < pixels ? static_cast<Bits>(gradients[b] & kMagnitude) : Bits{0};
    largest = std::max(largest, magnitude);
  }
  return largest;
}

struct Search {
  const TensorView& grad_output;
  const TensorView& argmax;
  uint32_t pixels;
  std::atomic<uint64_t>& largest;

  template <typename Bits>
  void Run(int64_t begin, int64_t end) const noexcept {
    Bits found = 0;
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t c = 0; c < argmax.shape[1]; ++c) {
        const auto* gradients =
            static_cast<const Bits*>(grad_output.data) + r * grad_output.strides[0] + c * grad_output.strides[1];
        const auto* targets = static_cast<const int32_t*>(argmax.data) + r * argmax.strides[0] + c * argmax.strides[1];
        found = std::max(found, LargestOfRow(gradients, targets, argmax.shape[2] * argmax.shape[3], pixels));
      }
    }
    uint64_t known = largest.load(std::memory_order_relaxed);
    while (found > known && !largest.compare_exchange_weak(known, found, std::memory_order_relaxed)) {
    }
  }

  static int RunTask(CallContext&, int32_t index, int32_t, const void* closure) noexcept {
    const auto& search = *static_cast<const Search*>(closure);
    const int64_t begin = int64_t{index} * kRoisPerTask;
    const int64_t end = std::min<int64_t>(begin + kRoisPerTask, search.argmax.shape[0]);
    switch (ElementSize(search.grad_output.type)) {
      case 2:
        search.Run<uint16_t>(begin, end);
        break;
      case 4:
        search.Run<uint32_t>(begin, end);
        break;
      default:
        search.Run<uint64_t>(begin, end);
    }
    return 0;
  }
};

int32_t MantissaBits(DataType type) noexcept {
  switch (type) {
    case DataType::kFloat16:
      return 10;
    case DataType::kBFloat16:
      return 7;
    case DataType::kFloat32:
      return 23;
    default:
      return 52;
  }
}

}  // namespace

int32_t AddendsLog2(int64_t addends) noexcept {
  return static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(addends) - 1));
}

FixedPointScale FindScale(const TensorView& grad_output, const TensorView& argmax, int64_t pixels, int32_t addends_log2,
                          int32_t threads) noexcept {
  std::atomic<uint64_t> largest = 0;
  const Search search = {grad_output, argmax, static_cast<uint32_t>(pixels), largest};
  CallContext context(threads);
  RunTasks(context, static_cast<int32_t>((argmax.shape[0] + kRoisPerTask - 1) / kRoisPerTask), Search::RunTask, &search);

  const int32_t mantissa_bits = MantissaBits(grad_output.type);
  const auto bits = static_cast<int32_t>(8 * ElementSize(grad_output.type));
  const int32_t largest_exponent = (1 << (bits - 1 - mantissa_bits)) - 1, bias = largest_exponent >> 1;
  const auto exponent = static_cast<int32_t>(largest.load() >> mantissa_bits);
  FixedPointScale scale;
  scale.is_finite = exponent < largest_exponent;
  scale.shift = 62 - addends_log2 - (std::max(exponent, 1) - bias + 1);
  if (grad_output.type == DataType::kFloat16) scale.shift = std::min(scale.shift, 24);
  return scale;
}

}  // namespace roipool::internal
