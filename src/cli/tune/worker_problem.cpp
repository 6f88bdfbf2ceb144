#include "worker_problem.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "kernel_select.h"
#include "tuning.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Sizes around those of vectors, groups and steps; rows that have loops of their own, and rows that have none.
const std::vector<Shape>& EdgeShapes() {
  static const std::vector<Shape> shapes = {
      {"one", 1, 1, 1, 1, 1, 1, 1},           {"odd", 2, 5, 9, 11, 33, 3, 3},     {"seven", 2, 11, 13, 17, 40, 7, 7},
      {"fourteen", 1, 6, 20, 27, 25, 14, 14}, {"thin", 3, 3, 6, 7, 30, 1, 17},    {"single", 2, 7, 5, 5, 20, 1, 1},
      {"even", 1, 4, 8, 8, 16, 16, 16},       {"long", 1, 3, 30, 31, 10, 20, 27}, {"many", 2, 19, 30, 31, 300, 7, 7}};
  return shapes;
}

const internal::Kernel& FindKernel(Operator op, DataType type, Isa isa, const std::string& schedule) {
  for (const internal::Kernel& kernel : internal::Kernels()) {
    if (kernel.op == op && kernel.type == type && kernel.isa == isa && kernel.schedule == schedule) return kernel;
  }
  throw std::runtime_error("this library has no kernel of schedule " + schedule);
}

int64_t LargestExtent(const internal::CallSizes& sizes) {
  return std::max({sizes.rois, sizes.channels, sizes.bins, sizes.images, sizes.pixels});
}

// A call of microseconds is repeated until it can be timed.
double SecondsOf(WorkerCall& call, int repeats) {
  const auto begin = Clock::now();
  for (int i = 0; i < repeats; ++i) {
    if (const std::string error = call.Run(); !error.empty()) throw std::runtime_error(error);
  }
  return std::chrono::duration<double>(Clock::now() - begin).count() / repeats;
}

std::map<std::string, int> ToMap(Operator op, const internal::CallKnobs& knobs) {
  std::map<std::string, int> map;
#define ROIPOOL_CALL_KNOB(field, initial, smallest, largest, meaning) map[#field] = knobs.field;
  if (op == Operator::kRoiPoolGrad) {
    ROIPOOL_GRAD_CALL_KNOBS(ROIPOOL_CALL_KNOB)
  } else {
    ROIPOOL_POOL_CALL_KNOBS(ROIPOOL_CALL_KNOB)
  }
#undef ROIPOOL_CALL_KNOB
  return map;
}

internal::CallKnobs FromMap(const std::map<std::string, int>& map) {
  internal::CallKnobs knobs;
#define ROIPOOL_CALL_KNOB(field, initial, smallest, largest, meaning) \
  if (const auto value = map.find(#field); value != map.end()) knobs.field = value->second;
  ROIPOOL_GRAD_CALL_KNOBS(ROIPOOL_CALL_KNOB)
#undef ROIPOOL_CALL_KNOB
  return knobs;
}

}  // namespace

WorkerProblem::WorkerProblem(Operator op, DataType type, Isa isa, int32_t threads, const std::vector<Shape>& timed)
    : op_(op), type_(type), isa_(isa), threads_(threads) {
  const internal::Kernel& reference = FindKernel(op, type, isa, "reference");
  const auto add = [&](const std::vector<Shape>& shapes, std::vector<std::unique_ptr<WorkerCall>>* calls) {
    for (const Shape& shape : shapes) {
      calls->push_back(MakeWorkerCall(op, shape, type));
      WorkerCall& call = *calls->back();
      call.Plan(reference, {}, threads);
      call.Poison();
      if (const std::string error = call.Run(); !error.empty()) throw std::runtime_error(error);
      call.KeepExpected();
    }
  };
  add(timed, &timed_);
  add(EdgeShapes(), &edges_);
}

StartingPoint WorkerProblem::Start(const std::string& tuning_file) const {
  TuningPtr tuning;
  if (!tuning_file.empty()) ThrowIfError(LoadTuning(tuning_file.c_str(), &tuning));
  Options options;
  options.max_isa = isa_;
  options.tuning = tuning.get();
  internal::KernelRequest request;
  ThrowIfError(internal::MakeKernelRequest("roipool tune", op_, options, &request));
  for (const auto& call : timed_) {
    request.bins = std::max(request.bins, call->sizes().bins);
    request.largest_extent = std::max(request.largest_extent, LargestExtent(call->sizes()));
  }
  internal::KernelChoice choice;
  ThrowIfError(internal::ChooseKernel("roipool tune", op_, type_, request, options, internal::ClassOf(timed_.front()->sizes()),
                                      &choice));
  return {choice.kernel->schedule, ToMap(op_, choice.knobs), choice.source};
}

std::string WorkerProblem::Load(int id, const std::string& library, const std::string& symbol, const std::string& schedule,
                                const std::map<std::string, int>& knobs, bool checks_edges) {
  // Never closed: the worker's end closes it.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = handle == nullptr ? nullptr : dlsym(handle, symbol.c_str());
  if (function == nullptr) return fmt::format("cannot be loaded: {}", dlerror());
  auto candidate = std::make_unique<Loaded>();
  Loaded& loaded = *candidate;
  loaded.symbol = symbol;
  loaded.knobs = FromMap(knobs);
  loaded.kernel = FindKernel(op_, type_, isa_, schedule);
  loaded.kernel.name = loaded.symbol.c_str();
  if (op_ == Operator::kRoiPoolGrad) loaded.kernel.roi_pool_grad = reinterpret_cast<internal::RoiPoolGradFunction>(function);
  if (op_ == Operator::kRoiPool) loaded.kernel.roi_pool = reinterpret_cast<internal::RoiPoolFunction>(function);
  const std::string problem = ProblemOf(loaded, checks_edges);
  if (problem.empty()) loaded_[id] = std::move(candidate);
  return problem;
}

std::string WorkerProblem::ProblemOf(const Loaded& loaded, bool checks_edges) const {
  for (const auto* calls : {&edges_, &timed_}) {
    if (calls == &edges_ && !checks_edges) continue;
    for (const auto& call : *calls) {
      if (call->sizes().bins > loaded.kernel.max_bins || LargestExtent(call->sizes()) > loaded.kernel.max_extent) {
        if (calls == &edges_) continue;
        return fmt::format("takes at most {} bins per roi and {} elements in a dimension, one of the shapes has {} and {}",
                           loaded.kernel.max_bins, loaded.kernel.max_extent, call->sizes().bins, LargestExtent(call->sizes()));
      }
      call->Plan(loaded.kernel, loaded.knobs, threads_);
      call->Poison();
      if (const std::string error = call->Run(); !error.empty()) return "fails: " + error;
      if (const std::string difference = call->Difference(); !difference.empty()) return "other bits: " + difference;
      if (calls == &timed_) continue;
      if (const std::string problem = call->RefusalProblem(loaded.kernel, loaded.knobs); !problem.empty()) return problem;
    }
  }
  return {};
}

std::vector<std::vector<std::vector<double>>> WorkerProblem::Time(const std::vector<int>& ids, int rounds) {
  constexpr double kSecondsWorthTiming = 2e-4;
  std::vector<std::vector<std::vector<double>>> seconds;
  for (const auto& call : timed_) {
    auto& of_shape = seconds.emplace_back(ids.size());
    int repeats = 1;
    for (int round = -1; round < rounds; ++round) {
      for (size_t i = 0; i < ids.size(); ++i) {
        const Loaded& loaded = *loaded_.at(ids[i]);
        call->Plan(loaded.kernel, loaded.knobs, threads_);
        const double time = SecondsOf(*call, repeats);
        if (round >= 0) of_shape[i].push_back(time);  // Before that everyone warms up.
        if (round < 0 && i == 0) repeats = static_cast<int>(std::clamp(kSecondsWorthTiming / time, 1.0, 1000.0));
      }
    }
  }
  return seconds;
}

std::unique_ptr<WorkerProblem> MakeWorkerProblem(const nlohmann::json& request) {
  std::vector<Shape> shapes;
  for (const auto& extents : request.at("shapes").get<std::vector<std::vector<int64_t>>>()) {
    shapes.push_back(
        {"", extents.at(0), extents.at(1), extents.at(2), extents.at(3), extents.at(4), extents.at(5), extents.at(6)});
  }
  return std::make_unique<WorkerProblem>(request.at("op").get<Operator>(), request.at("type").get<DataType>(),
                                         request.at("isa").get<Isa>(), request.at("threads"), shapes);
}

}  // namespace roipool::cli
