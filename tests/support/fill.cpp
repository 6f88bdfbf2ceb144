#include "fill.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "element.h"

namespace roipool::test {
namespace {

double RealNumber(SeededRandom& random) {
  const double magnitude = std::ldexp(1 + random.Fraction(), static_cast<int>(random.Whole(-6, 5)));
  return random.Chance(0.5) ? magnitude : -magnitude;
}

// A special value as bits, so that NaN keep their sign and payload.
uint64_t SpecialBits(DataType type, SeededRandom& random) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {infinity,
                            -infinity,
                            -0.0,
                            LargestOf(type),
                            -LargestOf(type),
                            SmallestOf(type),
                            -SmallestOf(type),
                            3 * SmallestOf(type),
                            std::numeric_limits<double>::quiet_NaN()};
  const int64_t choice = random.Whole(0, std::size(numbers));
  return choice == std::size(numbers) ? PoisonOf(type) : BitsOf(numbers[choice], type);
}

uint64_t ValueBits(DataType type, Values values, SeededRandom& random) {
  switch (values) {
    case Values::kInteger:
      return BitsOf(static_cast<double>(random.Whole(-8, 8)), type);
    case Values::kReal:
      return BitsOf(RealNumber(random), type);
    case Values::kTiny:
      return BitsOf(static_cast<double>(random.Whole(-40, 40)) * SmallestOf(type), type);
    case Values::kHuge:
      return BitsOf(random.Between(-1, 1) * LargestOf(type), type);
    case Values::kSpecial:
      return random.Chance(0.1) ? SpecialBits(type, random) : BitsOf(RealNumber(random), type);
  }
  return 0;
}

}  // namespace

const char* NameOf(Values values) {
  constexpr const char* kNames[] = {"kInteger", "kReal", "kTiny", "kHuge", "kSpecial"};
  return kNames[static_cast<int>(values)];
}

const char* NameOf(ImageOrder order) {
  constexpr const char* kNames[] = {"kRandom", "kSorted", "kDescending", "kLastOnly", "kGaps"};
  return kNames[static_cast<int>(order)];
}

void FillValues(Tensor& tensor, Values values, SeededRandom& random) {
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.SetBits(i, ValueBits(tensor.type(), values, random));
}

void FillArgmax(Tensor& argmax, int64_t pixels, double empty_share, SeededRandom& random) {
  for (int64_t i = 0; i < argmax.count(); ++i) {
    argmax.SetNumber(i, random.Chance(empty_share) ? -1.0 : static_cast<double>(random.Whole(0, pixels - 1)));
  }
}

void FillImages(Tensor& rois, int64_t images, ImageOrder order, SeededRandom& random) {
  std::vector<int64_t> image_of(static_cast<size_t>(rois.extent(0)));
  for (int64_t& image : image_of) {
    image = order == ImageOrder::kLastOnly ? images - 1 : random.Whole(0, images - 1);
    if (order == ImageOrder::kGaps) image -= image % 2;
  }
  if (order == ImageOrder::kSorted) std::sort(image_of.begin(), image_of.end());
  if (order == ImageOrder::kDescending) std::sort(image_of.begin(), image_of.end(), std::greater<>());
  for (int64_t r = 0; r < rois.extent(0); ++r) rois.SetNumber(r * 5, static_cast<double>(image_of[static_cast<size_t>(r)]));
}

}  // namespace roipool::test
