#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "api.h"
#include "driver_state.h"
#include "launch.h"
#include "report.h"
#include "settings.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

// Each of at most 2^42 threads has a number of its own in the records of accesses.
constexpr uint64_t kMaxThreads = 1ull << 42;

void* const kParamBuffer = reinterpret_cast<void*>(1);
void* const kParamBufferSize = reinterpret_cast<void*>(2);

struct LaunchRequest {
  const Function* function;
  uint32_t grid[3], block[3];
  uint64_t shared;
  std::vector<uint8_t> params;
};

// Empty: all is in order.
std::string WhatIsWrong(const LaunchRequest& request) {
  const auto& [function, grid, block, shared, params] = request;
  const uint64_t blocks = uint64_t{grid[0]} * grid[1] * grid[2], threads = uint64_t{block[0]} * block[1] * block[2];
  if (blocks == 0 || grid[0] > 0x7fffffff || grid[1] > 65535 || grid[2] > 65535) return "the grid is out of range";
  if (threads == 0 || block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads > 1024) return "the block is out of range";
  if (blocks >= kMaxThreads / threads) return "too many threads for the interpreter";
  for (int i = 0; i < 3; i++) {
    if (function->reqntid[i] != 0 && block[i] != function->reqntid[i])
      return "not the block size that the kernel requires (.reqntid)";
  }
  const uint32_t* const most = function->maxntid;
  if (most[0] != 0 && threads > uint64_t{most[0]} * most[1] * most[2]) return "more threads than the kernel allows (.maxntid)";
  uint64_t total_shared = shared;
  for (const SharedVar& variable : function->module->shared) total_shared += variable.size;
  if (total_shared > CurrentSettings().shared_max)
    return Format("%lu bytes of shared memory, more than %lu", total_shared, CurrentSettings().shared_max);
  return "";
}

// The same for the arguments, which are copied.
std::string TakeArguments(void** arguments, void** extra, LaunchRequest* request) {
  const Function& function = *request->function;
  std::vector<uint8_t>& params = request->params;
  params.resize(function.entry_param_bytes);
  if (arguments != nullptr) {
    for (size_t i = 0; i < function.params.size(); i++) {
      if (arguments[i] == nullptr) return Format("argument %zu is missing", i);
      std::memcpy(params.data() + function.params[i].off, arguments[i], function.params[i].size);
    }
    return "";
  }
  const void* buffer = nullptr;
  size_t size = 0;
  for (size_t i = 0; extra != nullptr && extra[i] != nullptr; i += 2) {
    if (extra[i] == kParamBuffer) buffer = extra[i + 1];
    if (extra[i] == kParamBufferSize) size = *static_cast<const size_t*>(extra[i + 1]);
  }
  if (params.empty()) return "";
  if (buffer == nullptr) return "the arguments are missing";
  if (size < params.size()) return Format("%zu bytes of arguments, %zu are needed", size, params.size());
  std::memcpy(params.data(), buffer, params.size());
  return "";
}

const char* NameOf(void* function) {
  return State().kernels.count(function) != 0 ? static_cast<const Function*>(function)->name.c_str() : "?";
}

}  // namespace

CUDA_API(cuLaunchKernel, (void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared, void* handle, void** arguments, void** extra)) {
  const std::lock_guard names_stay(State().mutex);
  ENTER(kWorkingContext, "%s grid %u,%u,%u block %u,%u,%u shared %u stream %#zx", NameOf(function), grid_x, grid_y, grid_z,
        block_x, block_y, block_z, shared, reinterpret_cast<size_t>(handle));
  const auto stream = AllStreams().Find(handle);
  if (State().kernels.count(function) == 0 || stream == nullptr) {
    Complain(
        Format("cuLaunchKernel: %p is no %s", stream == nullptr ? handle : function, stream == nullptr ? "stream" : "kernel"));
    return kInvalidHandle;
  }
  const auto request = std::make_shared<LaunchRequest>();
  *request = {static_cast<const Function*>(function), {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, {}};
  std::string wrong = WhatIsWrong(*request);
  if (wrong.empty()) wrong = TakeArguments(arguments, extra, request.get());
  if (!wrong.empty()) {
    Complain("launch of " + request->function->name +
             Format(" with grid (%u,%u,%u), block (%u,%u,%u): ", grid_x, grid_y, grid_z, block_x, block_y, block_z) + wrong);
    return kInvalidValue;
  }
  return AllStreams().Submit(stream, [request] {
    return Launch(request->function, request->grid, request->block, request->shared, std::move(request->params)).Execute();
  });
}
