#include "cuda_words.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "cuda_driver.h"
#include "make_status.h"

namespace roipool::internal {
namespace {

constexpr size_t kWordsPerBlock = 512;

struct FreeWord {
  uint64_t address;
  bool is_settled;
  void* stream;  // Unless it is settled.
};

struct ContextWords {
  void* context;
  std::vector<uint64_t> blocks;
  std::vector<FreeWord> free;  // Has room for all.
};

// Never destroyed: executors that live as long as the program return words to it.
struct AllWords {
  std::mutex mutex;
  std::vector<ContextWords> contexts;

  static AllWords& Instance() {
    static auto& all = *new AllWords;
    return all;
  }
  std::vector<ContextWords>::iterator Find(void* context) {
    return std::find_if(contexts.begin(), contexts.end(),
                        [context](const ContextWords& words) { return words.context == context; });
  }
};

Status AddBlock(const char* function, ContextWords& words) {
  const CudaDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenCudaDriver(function, &driver));
  words.blocks.reserve(words.blocks.size() + 1);
  words.free.reserve((words.blocks.size() + 1) * kWordsPerBlock);
  const CudaContextScope scope(*driver, words.context);
  ROIPOOL_RETURN_IF_ERROR(CudaStatus(function, "cuCtxPushCurrent_v2", scope.error()));
  uint64_t block = 0;
  ROIPOOL_CUDA_CALL(function, driver, cuMemAlloc_v2, (&block, kWordsPerBlock * sizeof(uint64_t)));
  words.blocks.push_back(block);
  for (size_t i = 0; i < kWordsPerBlock; ++i) words.free.push_back({block + i * sizeof(uint64_t), true, nullptr});
  return {};
}

Status Take(const char* function, const DeviceQueue& queue, uint64_t* address) {
  AllWords& all = AllWords::Instance();
  const std::lock_guard lock(all.mutex);
  auto words = all.Find(queue.context);
  if (words == all.contexts.end()) words = all.contexts.insert(words, {queue.context, {}, {}});
  const auto find = [&] {
    return std::find_if(words->free.rbegin(), words->free.rend(),
                        [&](const FreeWord& word) { return word.is_settled || word.stream == queue.stream; });
  };
  auto word = find();
  if (word == words->free.rend()) {
    ROIPOOL_RETURN_IF_ERROR(AddBlock(function, *words));
    word = find();
  }
  *address = word->address;
  words->free.erase(std::next(word).base());
  return {};
}

}  // namespace

Status TakeCudaWord(const char* function, const DeviceQueue& queue, uint64_t* address) noexcept {
  try {
    return Take(function, queue, address);
  } catch (const std::bad_alloc&) {
    return MakeStatus(StatusCode::kOutOfMemory, "%s: no memory to remember a run", function);
  }
}

void ReturnCudaWord(const DeviceQueue& queue, uint64_t address, bool is_settled) noexcept {
  AllWords& all = AllWords::Instance();
  const std::lock_guard lock(all.mutex);
  const auto words = all.Find(queue.context);
  if (words != all.contexts.end()) words->free.push_back({address, is_settled, queue.stream});
}

Status ReleaseCudaWords(const char* function, void* context) noexcept {
  AllWords& all = AllWords::Instance();
  const std::lock_guard lock(all.mutex);
  const auto words = all.Find(context);
  if (words == all.contexts.end()) return {};
  const size_t taken = words->blocks.size() * kWordsPerBlock - words->free.size();
  ROIPOOL_CHECK(taken == 0, StatusCode::kInvalidState,
                "%s: %lld runs in device_context are not synchronized; call Synchronize or destroy their executors", function,
                static_cast<long long>(taken));
  const CudaDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenCudaDriver(function, &driver));
  const CudaContextScope scope(*driver, context);
  ROIPOOL_RETURN_IF_ERROR(CudaStatus(function, "cuCtxPushCurrent_v2", scope.error()));
  Status first;
  for (const uint64_t block : words->blocks) {
    const Status status = CudaStatus(function, "cuMemFree_v2", driver->cuMemFree_v2(block));
    if (first.ok()) first = status;
  }
  all.contexts.erase(words);
  return first;
}

}  // namespace roipool::internal
