// What kernels and those who call them must agree on beside the order of arguments.
#ifndef ROIPOOL_RUNTIME_KERNEL_LAYOUT_H_
#define ROIPOOL_RUNTIME_KERNEL_LAYOUT_H_

namespace roipool {

/// The gradient's channels are handed to a kernel in groups, which it advances together, bin by bin: their planes are
/// different, so that an addition need not wait for the one before it. There are fast loops for groups of 4 and of 2; any size
/// up to 4 is computed. Plain C++ loops on two Zen 4 cores, float32, one thread, ns per bin on shapes A, B, C, E: 4 channels
/// 0.69, 0.84, 0.72, 1.46; 2 channels 0.77, 0.86, 0.80, 1.48; 8 channels 0.76, 0.77, 0.71, 1.78; 1
/// channel 1.46, 1.52, 1.48, 2.13.
constexpr int kMaxGroupChannels = 4;

/// The forward by channel vectors takes channels by multiples of so many, and transposes tiles of as many pixels.
constexpr int kChannelVector = 16;

/// Bins that it transposes at a time.
constexpr int kBinTile = 8;

/// So many channels are the most that it searches a window for at a time.
constexpr int kMaxSearchedChannels = 64;

}  // namespace roipool

#endif  // ROIPOOL_RUNTIME_KERNEL_LAYOUT_H_
