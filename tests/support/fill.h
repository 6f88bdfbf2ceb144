// What tests put into tensors.
#ifndef ROIPOOL_TESTS_SUPPORT_FILL_H_
#define ROIPOOL_TESTS_SUPPORT_FILL_H_

#include "seeded_random.h"
#include "tensor.h"

namespace roipool::test {

enum class Values {
  kInteger,  ///< Whole numbers in [-8, 8]: sums are exact, whatever their order.
  kReal,     ///< Both signs, magnitudes of 2^-6 to 2^6: the order of addition shows.
  kTiny,     ///< Around the type's smallest numbers.
  kHuge,     ///< Around the type's largest: sums overflow.
  kSpecial,  ///< kReal with NaN of many kinds, Inf, -0, subnormals and the largest numbers in between.
};

/// Which images the rois belong to.
enum class ImageOrder {
  kRandom,
  kSorted,
  kDescending,
  kLastOnly,  ///< All other images stay empty.
  kGaps,      ///< Only images 0, 2, 4, ...
};

const char* NameOf(Values values);
const char* NameOf(ImageOrder order);

void FillValues(Tensor& tensor, Values values, SeededRandom& random);

/// Whole numbers in [0, pixels), and -1 for about `empty_share` of them.
void FillArgmax(Tensor& argmax, int64_t pixels, double empty_share, SeededRandom& random);

/// Column 0 of `rois`. The other columns of a gradient's rois stay poisoned: nobody may look at them.
void FillImages(Tensor& rois, int64_t images, ImageOrder order, SeededRandom& random);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_FILL_H_
