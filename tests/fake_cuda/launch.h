#ifndef ROIPOOL_TESTS_FAKE_CUDA_LAUNCH_H_
#define ROIPOOL_TESTS_FAKE_CUDA_LAUNCH_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "arithmetic.h"
#include "device_memory.h"
#include "module.h"
#include "settings.h"
#include "types.h"

namespace roipool::fake_cuda {

struct Frame {
  const Function* fn = nullptr;
  uint32_t pc = 0, local_base = 0;
  const Instruction* call = nullptr;
  std::vector<uint64_t> regs;
  std::vector<uint8_t> params;
};

struct Thread {
  enum State : uint8_t { kRunning, kAtBarrier, kAtWarpOp, kDone } state = kRunning;
  uint32_t x = 0, y = 0, z = 0, lin = 0;
  size_t depth = 0;  // index of the current frame
  std::vector<Frame> frames;
  std::vector<uint8_t> local;
  uint64_t steps = 0;
  bool cc = false;
  const Instruction* wait = nullptr;
  uint32_t bar_id = 0, bar_count = 0;
};

struct Block {
  uint32_t x = 0, y = 0, z = 0;
  uint64_t lin = 0;
  uint32_t epoch = 0;  // barriers passed
  std::vector<Thread> threads;
  std::vector<uint32_t> order;
  std::vector<std::unique_ptr<Region>> shared;
  std::vector<std::vector<uint8_t>> shared_data;
};

enum AccessKind { kRead, kWrite, kAtomic };

// One run of a kernel: interprets it and checks its accesses.
class Launch {
 public:
  Launch(const Function* f, const uint32_t g[3], const uint32_t bl[3], uint64_t shared, std::vector<uint8_t> p);
  Status Execute();

 private:
  std::string Where(const Instruction* in, uint64_t thread) const;
  uint64_t ThreadId() const { return block_->lin * threads_per_block_ + thread_->lin; }
  void Report(Level level, const std::string& s);
  [[noreturn]] void Fail(Status code, const std::string& what) { throw Fault{code, what}; }
  uint64_t Special(uint32_t s) const;
  uint64_t Get(const Operand& o) const { return o.kind == Operand::kReg && !o.negate ? registers_[o.idx] : GetOther(o); }
  uint64_t GetOther(const Operand& o) const;
  void Set(const Operand& o, uint64_t v) {
    if (o.kind == Operand::kReg) registers_[o.idx] = v;
  }
  void ReportRace(Region& r, uint64_t off, int n, const char* now, uint32_t line, uint64_t other, const char* before);
  void CheckRace(Region& r, uint64_t off, int n, AccessKind kind, const uint8_t* value);
  uint8_t* AccessRegion(Region& r, uint64_t off, int n, AccessKind kind, const uint8_t* value);
  [[noreturn]] void BadAddress(const char* space, uint64_t addr, int n, const std::string& why);
  // The host address of n bytes for an access; value is what will be written.
  uint8_t* Access(Space space, uint64_t addr, int n, int align, AccessKind kind, const uint8_t* value);
  // Performs the warp operation that the given lanes wait at.
  void WarpOperation(Block& b, uint32_t warp, uint32_t lanes, const Instruction& in);
  // Lets waiting threads go on; false if none can.
  bool Resolve(Block& b);
  void PushFrame(Thread& t, const Function* f);
  void Call(const Instruction& in);
  // Returns from a device function.
  void Leave();
  // Integer instructions that only compute.
  uint64_t IntegerOperation(const Instruction& in);
  // Runs a thread until it ends, waits, or has used its budget.
  void Run(Block& b, Thread& t, uint64_t budget);
  // False when the block is done.
  bool Step(Block& b);
  void Start(Block& b, uint64_t lin);

  const Settings& settings_ = CurrentSettings();
  DeviceMemory& memory_ = GlobalMemory();
  const Function* function_;
  const Module& module_;
  uint32_t grid_size_[3], block_size_[3];
  uint32_t threads_per_block_;
  uint64_t dyn_shared_, static_shared_ = 0;
  std::vector<uint8_t> params_;
  uint64_t id_;
  std::mt19937_64 rng_;

  // The thread that runs now.
  Block* block_ = nullptr;
  Thread* thread_ = nullptr;
  Frame* frame_ = nullptr;
  uint64_t* registers_ = nullptr;
  const Instruction* instruction_ = nullptr;

  uint64_t instructions_ = 0, reports_ = 0, races_ = 0, equal_writes_ = 0, unwritten_reads_ = 0;
  std::unordered_set<uint64_t> reported_;
};

}  // namespace roipool::fake_cuda

#endif  // ROIPOOL_TESTS_FAKE_CUDA_LAUNCH_H_
