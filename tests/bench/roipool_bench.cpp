// How long both operators take on the named shapes, beside a plain loop and a streaming read of the same bytes. Names are
// operator/shape/type/threads:N/candidate, for --benchmark_filter.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench_inputs.h"
#include "plain_loop.h"
#include "roipool/kernels.h"
#include "take_option.h"

namespace roipool::bench {
namespace {

using cli::Array;

std::string inputs_folder;  // Empty: inputs are made.

// Every benchmark of a shape works on the same memory.
const BenchInputs& InputsOf(const Shape& shape) {
  static std::map<std::string_view, std::unique_ptr<BenchInputs>> all;
  std::unique_ptr<BenchInputs>& inputs = all[shape.name];
  if (inputs == nullptr && inputs_folder.empty()) inputs = std::make_unique<BenchInputs>(shape);
  if (inputs == nullptr) inputs = std::make_unique<BenchInputs>(shape, inputs_folder);
  return *inputs;
}

// grad_output or x in another type, made once.
const Array& InType(const Array& numbers, DataType type) {
  static std::map<std::pair<const void*, DataType>, Array> all;
  const auto [entry, is_new] = all.try_emplace({numbers.data.get(), type});
  if (is_new) entry->second = Converted(numbers, type);
  return entry->second;
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, FreeDeleter>;

Memory MakeWorkspace(uint64_t size) { return Memory(std::aligned_alloc(kWorkspaceAlignment, size)); }

Options OptionsFor(int threads) {
  Options options;
  options.threads = threads;
  options.repeatable = true;
  return options;
}

// The gradient of one type, and everything it needs.
struct GradCall {
  GradCall(const Shape& shape, DataType type, int threads)
      : inputs(InputsOf(shape)),
        grad_output(InType(inputs.grad_output, type)),
        grad_input(inputs.NewGradInput(type)),
        args(inputs.GradArgs(grad_output, grad_input)),
        options(OptionsFor(threads)) {
    Plan();
    workspace = MakeWorkspace(size);
  }
  void Plan() { Require(RoiPoolGradGetWorkspaceSize(args, options, &size, &executor)); }
  void Run() { Require(RoiPoolGrad(workspace.get(), size, executor.get())); }
  // Into memory that is new to the process each time, as far as malloc gives such memory.
  void RunFresh() {
    const auto bytes = static_cast<size_t>(cli::ElementCount(grad_input) * cli::ElementSize(grad_input.type));
    const Memory output(std::malloc(bytes));
    Require(SetRoiPoolGradData(executor.get(), args.grad_output.data, args.argmax.data, args.rois.data, output.get()));
    Run();
    benchmark::DoNotOptimize(output.get());
  }

  const BenchInputs& inputs;
  Array grad_output, grad_input;
  RoiPoolGradArgs args;
  Options options;
  uint64_t size = 0;
  ExecutorPtr executor;
  Memory workspace;
};

struct PoolCall {
  PoolCall(const Shape& shape, DataType type, int threads)
      : inputs(InputsOf(shape)),
        x(InType(inputs.x, type)),
        y(inputs.NewPooled(type)),
        argmax(inputs.NewPooled(DataType::kInt32)) {
    Require(RoiPoolGetWorkspaceSize(inputs.PoolArgs(x, y, argmax), OptionsFor(threads), &size, &executor));
    workspace = MakeWorkspace(size);
  }
  void Run() { Require(RoiPool(workspace.get(), size, executor.get())); }

  const BenchInputs& inputs;
  Array x, y, argmax;
  uint64_t size = 0;
  ExecutorPtr executor;
  Memory workspace;
};

// make() prepares a call before the clock starts; run(call) is timed.
template <typename Make, typename Run>
void Register(const char* op, const Shape& shape, const char* type, int threads, const char* candidate, const Make& make,
              const Run& run) {
  const std::string name =
      std::string(op) + "/" + shape.name + "/" + type + "/threads:" + std::to_string(threads) + "/" + candidate;
  const auto body = [make, run](benchmark::State& state) {
    auto call = make();
    run(*call);
    for (auto iteration : state) run(*call);
  };
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond)->UseRealTime();
}

void RegisterShape(const Shape& shape, DataType type, int threads) {
  const char* type_name = DataTypeName(type);
  const auto grad = [&shape, type, threads] { return std::make_unique<GradCall>(shape, type, threads); };
  const auto pool = [&shape, type, threads] { return std::make_unique<PoolCall>(shape, type, threads); };
  const auto both = [](GradCall& call) {
    call.Plan();
    call.Run();
  };
  constexpr const char* kGrad = "roi_pool_grad";
  Register(kGrad, shape, type_name, threads, "roipool", grad, [](GradCall& call) { call.Run(); });
  Register(kGrad, shape, type_name, threads, "roipool_fresh", grad, [](GradCall& call) { call.RunFresh(); });
  Register(kGrad, shape, type_name, threads, "roipool_both_phases", grad, both);
  Register("roi_pool", shape, type_name, threads, "roipool", pool, [](PoolCall& call) { call.Run(); });
  if (type != DataType::kFloat32) return;
  Register(kGrad, shape, type_name, threads, "stream", grad, [threads](GradCall& call) {
    benchmark::DoNotOptimize(ReadOnce(call.grad_output, threads) + ReadOnce(call.inputs.argmax, threads));
  });
  if (threads != 1) return;
  Register(kGrad, shape, type_name, threads, "plain_loop", grad,
           [](GradCall& call) { RunPlainLoop(call.inputs, call.grad_input); });
}

int Main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  inputs_folder = TakeOption(arguments, "--inputs");
  if (const std::string folder = TakeOption(arguments, "--write-inputs"); !folder.empty()) {
    for (const Shape& shape : cli::NamedShapes()) BenchInputs(shape).Save(folder);
    return 0;
  }
  const int most_threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (const Shape& shape : cli::NamedShapes()) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      for (int threads = 1; threads <= most_threads; ++threads) RegisterShape(shape, type, threads);
    }
  }
  for (const Shape& shape : cli::NamedShapes()) {
    benchmark::AddCustomContext(std::string("bins of shape ") + shape.name, std::to_string(shape.entries()));
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace roipool::bench

// usage: roipool_bench [--inputs FOLDER | --write-inputs FOLDER] [--benchmark_filter=REGEX] [--benchmark_...]
int main(int argc, char** argv) { return roipool::bench::Main(argc, argv); }
