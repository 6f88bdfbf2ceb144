#include "launch.h"

#include <algorithm>
#include <cstring>

#include "report.h"

namespace roipool::fake_cuda {

Launch::Launch(const Function* f, const uint32_t g[3], const uint32_t bl[3], uint64_t shared, std::vector<uint8_t> p)
    : function_(f), module_(*f->module), dyn_shared_(shared), params_(std::move(p)), rng_(settings_.seed) {
  for (int i = 0; i < 3; i++) grid_size_[i] = g[i], block_size_[i] = bl[i];
  threads_per_block_ = block_size_[0] * block_size_[1] * block_size_[2];
  for (auto& v : module_.shared) static_shared_ += v.size;
  id_ = ++totals.launches;
  rng_.seed(settings_.seed + id_);
}

std::string Launch::Where(const Instruction* in, uint64_t thread) const {
  uint64_t b = thread / threads_per_block_, l = thread % threads_per_block_;
  return Format("line %d '%s' by block (%u,%u,%u) thread (%u,%u,%u)", in->line, module_.Text(in->line).c_str(),
                static_cast<uint32_t>(b % grid_size_[0]), static_cast<uint32_t>(b / grid_size_[0] % grid_size_[1]),
                static_cast<uint32_t>(b / grid_size_[0] / grid_size_[1]), static_cast<uint32_t>(l % block_size_[0]),
                static_cast<uint32_t>(l / block_size_[0] % block_size_[1]),
                static_cast<uint32_t>(l / block_size_[0] / block_size_[1]));
}

void Launch::Report(Level level, const std::string& s) {
  if (reports_++ >= settings_.max_reports) return;
  std::string text = "kernel " + function_->name + ": " + s;
  if (level == kError) {
    Complain(text);
  } else {
    Warn(text);
  }
}

void Launch::Start(Block& b, uint64_t lin) {
  b.lin = lin;
  b.x = static_cast<uint32_t>(lin % grid_size_[0]);
  b.y = static_cast<uint32_t>(lin / grid_size_[0] % grid_size_[1]);
  b.z = static_cast<uint32_t>(lin / grid_size_[0] / grid_size_[1]);
  b.epoch = 0;
  b.threads.resize(threads_per_block_);
  b.order.resize(threads_per_block_);
  for (uint32_t i = 0; i < threads_per_block_; i++) {
    Thread& t = b.threads[i];
    t.state = Thread::kRunning;
    t.lin = i;
    t.x = i % block_size_[0];
    t.y = i / block_size_[0] % block_size_[1];
    t.z = i / block_size_[0] / block_size_[1];
    t.steps = 0;
    t.cc = false;
    if (!t.frames.empty()) t.frames[0].fn = nullptr;
    PushFrame(t, function_);
    memcpy(t.frames[0].params.data(), params_.data(), params_.size());
    b.order[i] = settings_.order == kReverse ? threads_per_block_ - 1 - i : i;
  }
  if (settings_.order == kRandom) std::shuffle(b.order.begin(), b.order.end(), rng_);
  b.shared.clear();
  b.shared_data.clear();
  auto add = [&](const std::string& name, uint64_t base, uint64_t size) {
    b.shared_data.emplace_back(size, 0xcb);
    auto r = std::make_unique<Region>();
    r->name = name;
    r->base = base;
    r->data = b.shared_data.back().data();
    r->Prepare(size);
    b.shared.push_back(std::move(r));
  };
  b.shared_data.reserve(module_.shared.size() + 1);
  if (dyn_shared_) add("shared memory", 0, dyn_shared_);
  for (auto& v : module_.shared) add("shared variable " + v.name, v.addr, v.size);
}

bool Launch::Step(Block& b) {
  uint64_t budget = settings_.quantum ? settings_.quantum : ~0ull;
  bool ran = false, alive = false;
  for (uint32_t i : b.order) {
    Thread& t = b.threads[i];
    if (t.state == Thread::kRunning) {
      Run(b, t, budget);
      ran = true;
    }
    alive |= t.state != Thread::kDone;
  }
  if (!alive) return false;
  bool progress = Resolve(b);
  if (!ran && !progress) {
    uint32_t bars = 0, warps = 0, done = 0;
    Thread* example = nullptr;
    for (Thread& t : b.threads) {
      bars += t.state == Thread::kAtBarrier;
      warps += t.state == Thread::kAtWarpOp;
      done += t.state == Thread::kDone;
      if (t.state != Thread::kDone && !example) example = &t;
    }
    block_ = &b;
    thread_ = example;
    instruction_ = example->wait;
    Fail(kLaunchTimeout, Format("deadlock: %u threads of the block wait at a barrier, %u at a warp instruction, %u have ended",
                                bars, warps, done));
  }
  return true;
}

Status Launch::Execute() {
  uint64_t total = static_cast<uint64_t>(grid_size_[0]) * grid_size_[1] * grid_size_[2], next = 0;
  std::vector<uint64_t> perm;
  if (settings_.order == kRandom) {
    perm.resize(total);
    for (uint64_t i = 0; i < total; i++) perm[i] = i;
    std::shuffle(perm.begin(), perm.end(), rng_);
  }
  Status status = kSuccess;
  std::vector<std::unique_ptr<Block>> active, pool;
  try {
    while (next < total || !active.empty()) {
      while (next < total && active.size() < settings_.resident) {
        if (pool.empty()) pool.push_back(std::make_unique<Block>());
        active.push_back(std::move(pool.back()));
        pool.pop_back();
        uint64_t lin = settings_.order == kRandom ? perm[next] : settings_.order == kReverse ? total - 1 - next : next;
        next++;
        Start(*active.back(), lin);
      }
      for (size_t i = 0; i < active.size();) {
        if (Step(*active[i])) {
          i++;
        } else {
          pool.push_back(std::move(active[i]));
          active.erase(active.begin() + static_cast<long>(i));
        }
      }
    }
  } catch (Fault& f) {
    status = f.code;
    Report(kError, f.what + (instruction_ && thread_ && block_ ? "; at " + Where(instruction_, ThreadId()) : std::string()));
  }
  totals.instructions += instructions_;
  if (status == kSuccess && ((races_ && settings_.race == kError) || (unwritten_reads_ && settings_.init == kError)))
    status = kLaunchFailed;
  if (races_) Report(settings_.race, Format("%lu racing accesses in all", races_));
  if (settings_.verbose)
    Say(
        Format("launch %lu: %s grid (%u,%u,%u) block (%u,%u,%u) shared %lu: %lu instructions, %lu races, %lu equal writes, "
               "%lu uninitialised reads, status %d",
               id_, function_->name.c_str(), grid_size_[0], grid_size_[1], grid_size_[2], block_size_[0], block_size_[1],
               block_size_[2], dyn_shared_, instructions_, races_, equal_writes_, unwritten_reads_, status));
  return status;
}

}  // namespace roipool::fake_cuda
