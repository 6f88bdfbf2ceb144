#include "tensor.h"

#include <algorithm>
#include <vector>

#include "checked_math.h"
#include "error.h"
#include "handle_table.h"

namespace roipool::aclnn {
namespace {

using Table = HandleTable<Tensor>;

long long Print(int64_t value) { return static_cast<long long>(value); }

// Copies dims[count] after checking them; `product` is what they amount to.
int ReadDims(const char* name, const int64_t* dims, uint64_t count, int64_t* copy, int64_t* product) noexcept {
  constexpr const char* kFunction = "aclCreateTensor";
  ROIPOOL_ACLNN_CHECK(count <= kMaxRank, ACLNN_ERR_PARAM_INVALID, "%s: %sNum is %llu, must be at most %d", kFunction, name,
                      static_cast<unsigned long long>(count), kMaxRank);
  ROIPOOL_ACLNN_CHECK(dims != nullptr || count == 0, ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null, must be set for %llu dimensions",
                      kFunction, name, static_cast<unsigned long long>(count));
  *product = 1;
  for (uint64_t d = 0; d < count; ++d) {
    ROIPOOL_ACLNN_CHECK(dims[d] >= 0, ACLNN_ERR_PARAM_INVALID, "%s: %s[%d] is %lld, must be at least 0", kFunction, name,
                        static_cast<int>(d), Print(dims[d]));
    copy[d] = dims[d];
  }
  const bool is_empty = std::find(copy, copy + count, 0) != copy + count;
  for (uint64_t d = 0; d < count; ++d) {
    ROIPOOL_ACLNN_CHECK(is_empty || internal::CheckedMultiply(*product, copy[d], product), ACLNN_ERR_PARAM_INVALID,
                        "%s: the product of %s exceeds 2^63-1", kFunction, name);
  }
  if (is_empty) *product = 0;
  return ACLNN_SUCCESS;
}

int ReadStrides(const int64_t* stride, Tensor* tensor) noexcept {
  const TensorLayout dense = [&] {
    TensorLayout layout;
    uint64_t step = 1;  // Unsigned: an empty tensor's extents may be absurd.
    for (int32_t d = tensor->rank - 1; d >= 0; --d) {
      layout.strides[d] = static_cast<int64_t>(step);
      step *= static_cast<uint64_t>(std::max<int64_t>(tensor->shape[d], 1));
    }
    return layout;
  }();
  for (int32_t d = 0; d < tensor->rank; ++d) {
    tensor->strides[d] = stride == nullptr ? dense.strides[d] : stride[d];
    ROIPOOL_ACLNN_CHECK(stride == nullptr || stride[d] >= 0, ACLNN_ERR_PARAM_INVALID,
                        "aclCreateTensor: stride[%d] is %lld, must be at least 0", d, Print(stride[d]));
  }
  return ACLNN_SUCCESS;
}

// Copies `count` values to an array that the caller frees with delete[].
int HandOutArray(const int64_t* values, int32_t count, int64_t** array, uint64_t* array_size) {
  auto* copy = new int64_t[static_cast<size_t>(std::max(count, 1))];
  std::copy_n(values, count, copy);
  *array = copy;
  *array_size = static_cast<uint64_t>(count);
  return ACLNN_SUCCESS;
}

// Calls use(tensor) if the handle is live and no result pointer is null.
template <typename Use>
aclnnStatus Read(const char* function, const aclTensor* handle, bool results_are_set, const Use& use) noexcept {
  return Guarded(function, ACLNN_ERR_RUNTIME_ERROR, [&]() -> int {
    ROIPOOL_ACLNN_CHECK(handle != nullptr, ACLNN_ERR_PARAM_NULLPTR, "%s: tensor is null, must be set", function);
    ROIPOOL_ACLNN_CHECK(results_are_set, ACLNN_ERR_PARAM_NULLPTR, "%s: a pointer for the results is null, must be set",
                        function);
    const auto tensor = FindTensor(handle);
    ROIPOOL_ACLNN_CHECK(tensor != nullptr, ACLNN_ERR_PARAM_INVALID, "%s: tensor is no live tensor; was it destroyed?",
                        function);
    return use(*tensor);
  });
}

}  // namespace

std::shared_ptr<Tensor> FindTensor(const aclTensor* tensor) { return Table::Instance().Find(tensor); }

}  // namespace roipool::aclnn

using namespace roipool::aclnn;

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride,
                           int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                           void* tensorData) {
  void* handle = nullptr;
  Guarded("aclCreateTensor", ACLNN_ERR_RUNTIME_ERROR, [&]() -> int {
    auto tensor = std::make_shared<Tensor>();
    int64_t view_elements = 0, storage_dims[roipool::kMaxRank] = {};
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadDims("viewDims", viewDims, viewDimsNum, tensor->shape, &view_elements));
    if (const int code = ReadDims("storageDims", storageDims, storageDimsNum, storage_dims, &tensor->storage_elements))
      return code;
    tensor->rank = static_cast<int32_t>(viewDimsNum);
    ROIPOOL_ACLNN_RETURN_IF_FAILED(ReadStrides(stride, tensor.get()));
    ROIPOOL_ACLNN_CHECK(offset >= 0, ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: offset is %lld, must be at least 0",
                        Print(offset));
    tensor->data_type = dataType;
    tensor->format = format;
    tensor->offset = offset;
    tensor->storage = tensorData;
    handle = Table::Instance().Add(std::move(tensor));
    return ACLNN_SUCCESS;
  });
  return static_cast<aclTensor*>(handle);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  ROIPOOL_ACLNN_CHECK(tensor != nullptr, ACLNN_ERR_PARAM_NULLPTR, "aclDestroyTensor: tensor is null, must be set");
  ROIPOOL_ACLNN_CHECK(Table::Instance().Remove(tensor) != nullptr, ACLNN_ERR_PARAM_INVALID,
                      "aclDestroyTensor: tensor is no live tensor; was it destroyed already?");
  return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return Read("aclGetViewShape", tensor, viewDims != nullptr && viewDimsNum != nullptr,
              [&](const Tensor& found) { return HandOutArray(found.shape, found.rank, viewDims, viewDimsNum); });
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum) {
  return Read("aclGetViewStrides", tensor, stridesValue != nullptr && stridesNum != nullptr,
              [&](const Tensor& found) { return HandOutArray(found.strides, found.rank, stridesValue, stridesNum); });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return Read("aclGetDataType", tensor, dataType != nullptr, [&](const Tensor& found) {
    *dataType = found.data_type;
    return ACLNN_SUCCESS;
  });
}
