// The acl functions around the operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "call.h"

namespace roipool::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Runtime, InitializationHappensOnce) {
  EXPECT_EQ(aclInit("no such file"), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE);
}

TEST(Runtime, OneDevice) {
  uint32_t count = 0;
  int32_t device = 7;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_THAT(Observe(0).text, HasSubstr("aclrtSetDevice: deviceId is 1, must be 0"));
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDevice(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(Runtime, Contexts) {
  aclrtContext first = nullptr, second = nullptr, current = nullptr;
  ASSERT_EQ(aclrtCreateContext(&first, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, second);
  EXPECT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, first);
  EXPECT_EQ(aclrtDestroyContext(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetCurrentContext(first), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(first), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateContext(&first, 3), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM);
}

TEST(Runtime, Streams) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(Runtime, MemoryIsAlignedAndItsBoundsAreKnown) {
  void *device = nullptr, *host = nullptr;
  for (const int policy : {0, 1, 2, 3, 4, 5, 0x0100, 0x1000, 0x1002}) {
    ASSERT_EQ(aclrtMalloc(&device, 100, static_cast<aclrtMemMallocPolicy>(policy)), ACL_SUCCESS);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(device) % 64, 0u);
    ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 100), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(device, 100, 0x5a, 100), ACL_SUCCESS);
  for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE; ++kind) {
    std::memset(host, 0, 100);
    EXPECT_EQ(aclrtMemcpy(host, 100, device, 100, static_cast<aclrtMemcpyKind>(kind)), ACL_SUCCESS);
    EXPECT_EQ(static_cast<char*>(host)[99], 0x5a);
  }
  EXPECT_EQ(aclrtMemcpy(host, 10, device, 11, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Observe(0).text, HasSubstr("count is 11, must be at most destMax (10)"));
  EXPECT_EQ(aclrtMemcpy(host, 200, device, 101, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(static_cast<char*>(host) + 60, 200, device, 41, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(Observe(0).text, HasSubstr("count is 41, but only 40 bytes of dst's block follow"));
  EXPECT_EQ(aclrtMemcpy(nullptr, 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsync(host, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(host, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST, host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(device, 200, 0, 101), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(device, 10, 0, 11), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&device, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(device, nullptr);
}

TEST(Runtime, ATensorTellsWhatItIs) {
  const ScopedTensor tensor({{2, 4}, ACL_FLOAT16, {1, 2}, 3, ACL_FORMAT_ND, {11}});
  int64_t *shape = nullptr, *strides = nullptr;
  uint64_t shape_size = 0, strides_size = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  ASSERT_EQ(aclGetViewShape(tensor.get(), &shape, &shape_size), ACLNN_SUCCESS);
  ASSERT_EQ(aclGetViewStrides(tensor.get(), &strides, &strides_size), ACLNN_SUCCESS);
  ASSERT_EQ(aclGetDataType(tensor.get(), &type), ACLNN_SUCCESS);
  EXPECT_THAT(std::vector<int64_t>(shape, shape + shape_size), ElementsAre(2, 4));
  EXPECT_THAT(std::vector<int64_t>(strides, strides + strides_size), ElementsAre(1, 2));
  EXPECT_EQ(type, ACL_FLOAT16);
  delete[] shape;
  delete[] strides;
  EXPECT_EQ(aclGetViewShape(tensor.get(), nullptr, &shape_size), ACLNN_ERR_PARAM_NULLPTR);
}

TEST(Runtime, TheErrorTextIsTheThreadsOwnAndClearedByReading) {
  EXPECT_EQ(aclrtSetDevice(5), ACL_ERROR_RT_INVALID_DEVICEID);
  std::thread([] {
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    EXPECT_EQ(aclrtSetDevice(6), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_THAT(aclGetRecentErrMsg(), HasSubstr("deviceId is 6"));
  }).join();
  EXPECT_THAT(aclGetRecentErrMsg(), HasSubstr("deviceId is 5"));
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(Runtime, DataTypeSizes) {
  const std::pair<aclDataType, size_t> sizes[] = {
      {ACL_FLOAT, 4},       {ACL_FLOAT16, 2},   {ACL_INT8, 1},   {ACL_INT32, 4},       {ACL_UINT8, 1},
      {ACL_INT16, 2},       {ACL_UINT16, 2},    {ACL_UINT32, 4}, {ACL_INT64, 8},       {ACL_UINT64, 8},
      {ACL_DOUBLE, 8},      {ACL_BOOL, 1},      {ACL_BF16, 2},   {ACL_STRING, 0},      {ACL_COMPLEX64, 8},
      {ACL_COMPLEX128, 16}, {ACL_COMPLEX32, 4}, {ACL_INT4, 0},   {ACL_DT_UNDEFINED, 0}};
  for (const auto& [type, size] : sizes) EXPECT_EQ(aclDataTypeSize(type), size) << type;
}

TEST(Runtime, Float16RoundTripsAndRoundsToNearestEven) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<aclFloat16>(bits);
    const float value = aclFloat16ToFloat(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(aclFloat16ToFloat(aclFloatToFloat16(value))));
      continue;
    }
    ASSERT_EQ(aclFloatToFloat16(value), half) << bits;
    // Between two neighbours: the even one wins at the middle, the nearer one beside it. Above 65504 the neighbour is infinity,
    // whose place is that of 65536.
    if ((bits & 0x7fff) >= 0x7c00) continue;
    const auto next = static_cast<aclFloat16>(bits + 1);
    const float next_value = (next & 0x7fff) == 0x7c00 ? std::copysign(65536.0f, value) : aclFloat16ToFloat(next);
    const float middle = value + (next_value - value) / 2;
    const float infinity = std::copysign(std::numeric_limits<float>::infinity(), value);
    ASSERT_EQ(aclFloatToFloat16(middle), bits % 2 == 0 ? half : next) << bits;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, value)), half) << bits;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, infinity)), next) << bits;
  }
  EXPECT_EQ(aclFloatToFloat16(1e30f), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::infinity()), 0xfc00);
}

TEST(Runtime, ManyThreadsAndStreams) {
  std::vector<std::thread> threads;
  std::vector<std::vector<float>> results(8);
  for (size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([t, &results] {
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      for (int i = 0; i < 50; ++i) {
        GradCall call;
        call.grad_output_values.assign(48, static_cast<float>(t));
        ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
        void* workspace = nullptr;
        ASSERT_EQ(aclrtMalloc(&workspace, call.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
        ASSERT_EQ(aclnnRoiPoolingGradWithArgMax(workspace, call.workspace_size, call.executor, stream), ACLNN_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtFree(workspace), ACL_SUCCESS);
        results[t] = call.grad_input_values;
      }
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < results.size(); ++t) EXPECT_EQ(results[t].at(7), 8 * static_cast<float>(t));
}

TEST(Runtime, ExecutorsOfSeveralThreadsMayShareATensorsHandle) {
  GradCall shared;
  const ScopedTensor grad_output(shared.grad_output);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&grad_output] {
      GradCall call;
      ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
      ASSERT_EQ(aclSetAclOpExecutorRepeatable(call.executor), ACLNN_SUCCESS);
      for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(aclSetTensorAddr(call.executor, 0, grad_output.get(), call.grad_output_values.data()), ACLNN_SUCCESS);
        ASSERT_EQ(call.Run().code, ACLNN_SUCCESS);
        ASSERT_EQ(call.grad_input_values[7], 8.0f);
      }
      ASSERT_EQ(aclDestroyAclOpExecutor(call.executor), ACLNN_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Runtime, OneExecutorInManyThreadsRunsOnceOrInTurn) {
  for (const bool repeatable : {false, true}) {
    GradCall call;
    ASSERT_EQ(call.Plan().code, ACLNN_SUCCESS);
    if (repeatable) {
      ASSERT_EQ(aclSetAclOpExecutorRepeatable(call.executor), ACLNN_SUCCESS);
    }
    std::atomic<int> successes = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        alignas(64) char workspace[4096];
        if (aclnnRoiPoolingGradWithArgMax(workspace, sizeof(workspace), call.executor, nullptr) == ACLNN_SUCCESS) ++successes;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(successes, repeatable ? 8 : 1);
    EXPECT_EQ(call.grad_input_values[7], 8.0f);
    EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), repeatable ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID);
  }
}

}  // namespace
}  // namespace roipool::test
