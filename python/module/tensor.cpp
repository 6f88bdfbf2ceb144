#include "tensor.h"

#include <algorithm>
#include <array>
#include <utility>

namespace roipool::python {
namespace {

namespace nb = nanobind;

struct TypeName {
  DataType type;
  nb::dlpack::dtype_code code;
  uint8_t bits;
  const char* name;
};

constexpr std::array<TypeName, 6> kTypes = {{
    {DataType::kFloat32, nb::dlpack::dtype_code::Float, 32, "float32"},
    {DataType::kFloat16, nb::dlpack::dtype_code::Float, 16, "float16"},
    {DataType::kBFloat16, nb::dlpack::dtype_code::Bfloat, 16, "bfloat16"},
    {DataType::kFloat64, nb::dlpack::dtype_code::Float, 64, "float64"},
    {DataType::kInt32, nb::dlpack::dtype_code::Int, 32, "int32"},
    {DataType::kInt64, nb::dlpack::dtype_code::Int, 64, "int64"},
}};

constexpr const char* kTypesForPeople = "float32, float16, bfloat16, float64, int32 or int64";

std::string Join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

[[noreturn]] void ThrowTypeError(const std::string& text) { throw nb::type_error(text.c_str()); }

void CheckRank(size_t rank, std::string_view name) {
  if (rank > kMaxRank) {
    const std::string text = Join({name, ": has ", std::to_string(rank), " dimensions, more than any tensor of roipool"});
    throw nb::value_error(text.c_str());
  }
}

}  // namespace

Tensor Tensor::OfArray(nb::object array, std::string_view name, bool is_written) {
  nb::ndarray<nb::ro> readable;
  if (!nb::try_cast(array, readable)) {
    if (nb::hasattr(array, "__dlpack__")) array.attr("__dlpack__")();
    ThrowTypeError(Join({name, ": is a ", nb::type_name(array.type()).c_str(),
                         ", not an array that speaks DLPack or the buffer protocol; numpy.asarray() makes one"}));
  }
  if (readable.device_type() != nb::device::cpu::value) {
    const std::string text = Join({name, ": is not in host memory; roipool.torch pools CUDA tensors"});
    throw nb::value_error(text.c_str());
  }
  CheckRank(readable.ndim(), name);
  const nb::dlpack::dtype type = readable.dtype();
  const auto* found = std::ranges::find_if(kTypes, [&](const TypeName& candidate) {
    return static_cast<uint8_t>(candidate.code) == type.code && candidate.bits == type.bits && type.lanes == 1;
  });
  if (found == kTypes.end()) ThrowTypeError(Join({name, ": its elements are none of ", kTypesForPeople}));
  nb::ndarray<> writable;
  if (is_written && !nb::try_cast(array, writable)) ThrowTypeError(Join({name, ": is read-only, but the result goes there"}));

  Tensor tensor;
  tensor.view_.type = found->type;
  tensor.view_.rank = static_cast<int32_t>(readable.ndim());
  for (size_t d = 0; d < readable.ndim(); ++d) {
    tensor.view_.shape[d] = static_cast<int64_t>(readable.shape(d));
    tensor.view_.strides[d] = readable.stride(d);
  }
  tensor.view_.data = const_cast<void*>(static_cast<const void*>(readable.data()));
  tensor.array_ = std::move(readable);
  return tensor;
}

Tensor Tensor::At(uintptr_t address, std::string_view type, const std::vector<int64_t>& shape,
                  const std::vector<int64_t>& strides, std::string_view name) {
  const auto* found = std::ranges::find_if(kTypes, [&](const TypeName& candidate) { return candidate.name == type; });
  if (found == kTypes.end()) ThrowTypeError(Join({name, ": its elements are ", type, ", none of ", kTypesForPeople}));
  CheckRank(shape.size(), name);
  if (shape.size() != strides.size()) throw nb::value_error(Join({name, ": not as many strides as dimensions"}).c_str());
  Tensor tensor;
  tensor.view_.type = found->type;
  tensor.view_.rank = static_cast<int32_t>(shape.size());
  std::ranges::copy(shape, tensor.view_.shape);
  std::ranges::copy(strides, tensor.view_.strides);
  tensor.view_.data = reinterpret_cast<void*>(address);
  return tensor;
}

std::string_view Tensor::type() const noexcept {
  return std::ranges::find_if(kTypes, [&](const TypeName& candidate) { return candidate.type == view_.type; })->name;
}

nb::tuple Tensor::shape() const {
  nb::list extents;
  for (int32_t d = 0; d < view_.rank; ++d) extents.append(view_.shape[d]);
  return nb::tuple(extents);
}

}  // namespace roipool::python
