#include "tensor.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "element.h"

namespace roipool::test {
namespace {

std::vector<int64_t> RowMajorStrides(const std::vector<int64_t>& shape, const std::vector<int64_t>& gaps) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride = stride * shape[d] + (d < gaps.size() ? gaps[d] : 0);
  }
  return strides;
}

// Dimensions from the innermost to the outermost: 1, then the others.
std::vector<int64_t> ChannelsLastStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  const auto take = [&](size_t d) {
    strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
  };
  take(1);
  for (size_t d = shape.size(); d-- > 0;) {
    if (d != 1) take(d);
  }
  return strides;
}

std::vector<int64_t> StridesOf(const std::vector<int64_t>& shape, Strides kind) {
  std::vector<int64_t> strides = RowMajorStrides(shape, {});
  switch (kind) {
    case Strides::kContiguous:
      break;
    case Strides::kChannelsLast:
      return ChannelsLastStrides(shape);
    case Strides::kPadded:
      return RowMajorStrides(shape, {0, 7, 3});
    case Strides::kPaddedRows:
      return RowMajorStrides(shape, {0, 7, 3, 2});
    case Strides::kExpanded:
      std::fill(strides.begin(), strides.end(), 0);
      break;
    case Strides::kExpandedRois:
      strides[0] = 0;
      break;
    case Strides::kNegative:
      for (int64_t& stride : strides) stride = -stride;
      break;
    case Strides::kInnermostApart:
      for (int64_t& stride : strides) stride *= 2;
      break;
  }
  return strides;
}

struct Reach {
  int64_t lowest = 0, highest = 0;
};

Reach ReachOf(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  Reach reach;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t last = (std::max<int64_t>(shape[d], 1) - 1) * strides[d];
    (last < 0 ? reach.lowest : reach.highest) += last;
  }
  return reach;
}

int64_t CountOf(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t SpanOf(DataType type, const std::vector<int64_t>& shape, Strides kind) {
  const Reach reach = ReachOf(shape, StridesOf(shape, kind));
  return CountOf(shape) == 0 ? 0 : (reach.highest - reach.lowest + 1) * SizeOf(type);
}

}  // namespace

const char* NameOf(Strides strides) {
  constexpr const char* kNames[] = {"kContiguous", "kChannelsLast", "kPadded",   "kPaddedRows",
                                    "kExpanded",   "kExpandedRois", "kNegative", "kInnermostApart"};
  return kNames[static_cast<int>(strides)];
}

Tensor::Tensor(DataType type, std::vector<int64_t> shape, Strides strides, Fence fence)
    : shape_(std::move(shape)), count_(CountOf(shape_)), memory_(SpanOf(type, shape_, strides), fence, SizeOf(type)) {
  const std::vector<int64_t> steps = StridesOf(shape_, strides);
  layout_.type = type;
  layout_.rank = static_cast<int32_t>(shape_.size());
  std::copy(shape_.begin(), shape_.end(), layout_.shape);
  std::copy(steps.begin(), steps.end(), layout_.strides);
  first_ = -ReachOf(shape_, steps).lowest;
  if (memory_.size() == 0) return;
  StoreBits(memory_.data(), type, PoisonOf(type));
  for (int64_t done = SizeOf(type); done < memory_.size(); done *= 2) {
    std::memcpy(memory_.data() + done, memory_.data(), static_cast<size_t>(std::min(done, memory_.size() - done)));
  }
}

Tensor Tensor::Of(DataType type, std::vector<int64_t> shape, const std::vector<double>& numbers) {
  Tensor tensor(type, std::move(shape));
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.SetNumber(i, numbers.at(static_cast<size_t>(i)));
  return tensor;
}

TensorView Tensor::view() const {
  TensorView view;
  static_cast<TensorLayout&>(view) = layout_;
  view.data = memory_.data() + (count_ == 0 ? 0 : first_ * SizeOf(type()));
  return view;
}

MutableTensorView Tensor::mutable_view() {
  MutableTensorView view;
  static_cast<TensorLayout&>(view) = layout_;
  view.data = memory_.data() + (count_ == 0 ? 0 : first_ * SizeOf(type()));
  return view;
}

int64_t Tensor::OffsetOf(int64_t position) const {
  int64_t offset = first_;
  for (size_t d = shape_.size(); d-- > 0;) {
    offset += position % shape_[d] * layout_.strides[d];
    position /= shape_[d];
  }
  return offset;
}

void* Tensor::AddressOf(int64_t position) const { return memory_.data() + OffsetOf(position) * SizeOf(type()); }
uint64_t Tensor::Bits(int64_t position) const { return LoadBits(AddressOf(position), type()); }
double Tensor::Number(int64_t position) const { return NumberOf(Bits(position), type()); }
void Tensor::SetBits(int64_t position, uint64_t bits) { StoreBits(AddressOf(position), type(), bits); }
void Tensor::SetNumber(int64_t position, double number) { SetBits(position, BitsOf(number, type())); }

void Tensor::SetAll(double number) {
  for (int64_t i = 0; i < count_; ++i) SetNumber(i, number);
}

std::vector<double> Tensor::Numbers() const {
  std::vector<double> numbers(static_cast<size_t>(count_));
  for (int64_t i = 0; i < count_; ++i) numbers[static_cast<size_t>(i)] = Number(i);
  return numbers;
}

std::vector<std::byte> Tensor::Bytes() const { return {memory_.data(), memory_.data() + memory_.size()}; }

std::string Tensor::FindDamage() const {
  if (const std::string damage = memory_.FindDamage(); !damage.empty()) return damage;
  const int64_t size = SizeOf(type()), places = memory_.size() / size;
  if (places == count_) return {};
  std::vector<bool> used(static_cast<size_t>(places));
  for (int64_t i = 0; i < count_; ++i) used[static_cast<size_t>(OffsetOf(i))] = true;
  for (int64_t i = 0; i < places; ++i) {
    if (!used[static_cast<size_t>(i)] && LoadBits(memory_.data() + i * size, type()) != PoisonOf(type())) {
      return "the gap at element " + std::to_string(i - first_) + " from the first was overwritten";
    }
  }
  return {};
}

std::string Tensor::CoordinatesOf(int64_t position) const {
  std::string text;
  for (size_t d = shape_.size(); d-- > 0;) {
    text = std::to_string(position % shape_[d]) + (text.empty() ? "" : ", ") + text;
    position /= shape_[d];
  }
  return "[" + text + "]";
}

}  // namespace roipool::test
