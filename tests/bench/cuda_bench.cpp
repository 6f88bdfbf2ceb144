// How long the gradient takes on a GPU, beside plain CUDA C++ and a copy of as many bytes. Names are
// roi_pool_grad/shape/type/threads:0/candidate, for --benchmark_filter; times are the GPU's own.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench_inputs.h"
#include "cuda_call.h"
#include "cuda_device.h"
#include "element.h"
#include "roipool/device.h"
#include "roipool/executor.h"
#include "roipool/kernels.h"
#include "take_option.h"

namespace roipool::bench {
namespace {

using cli::Array;
using test::CallCuda;
using test::CudaMemory;

void RequireCuda(const char* name, int error) {
  if (error != 0) throw std::runtime_error(std::string(name) + " returned " + std::to_string(error));
}

uint64_t BytesOf(const Array& array) { return static_cast<uint64_t>(cli::ElementCount(array) * cli::ElementSize(array.type)); }

struct DeviceArray {
  explicit DeviceArray(Array array) : host(std::move(array)), memory(BytesOf(host)) { memory.CopyFrom(host.data.get()); }
  void* data() const { return memory.address(); }

  Array host;
  CudaMemory memory;
};

/// The tensors of one shape and type on the device, and the gradient that a CPU computes.
class Problem {
 public:
  Problem(const BenchInputs& inputs, DataType type)
      : shape(inputs.shape),
        grad_output(Converted(inputs.grad_output, type)),
        argmax(inputs.argmax),
        rois(inputs.rois),
        grad_input(inputs.NewGradInput(type)),
        expected_(inputs.NewGradInput(type)) {
    const RoiPoolGradArgs args = inputs.GradArgs(grad_output.host, expected_);
    uint64_t size = 0;
    ExecutorPtr executor;
    Require(RoiPoolGradGetWorkspaceSize(args, {}, &size, &executor));
    const Array workspace = cli::AllocateArray(DataType::kInt64, {static_cast<int64_t>(size / sizeof(int64_t))});
    Require(RoiPoolGrad(workspace.data.get(), size, executor.get()));
  }

  DataType type() const { return grad_output.host.type; }

  RoiPoolGradArgs Args() const {
    const auto view = [](const DeviceArray& array) {
      TensorView tensor = cli::View(array.host);
      tensor.data = array.data();
      return tensor;
    };
    Array output = grad_input.host;
    RoiPoolGradArgs args = {view(grad_output), view(argmax), view(rois), cli::MutableView(output)};
    args.grad_input.data = grad_input.data();
    return args;
  }

  /// What must be read and written at least: the gradients and pixels of all bins, and the result.
  uint64_t LeastBytes() const { return BytesOf(grad_output.host) + BytesOf(argmax.host) + BytesOf(grad_input.host); }

  /// Nobody is timed who computes something else. Sums of float32 in another order may differ by a rounding of each addend,
  /// far less than 1e-5 of the largest sum; in 16 bits then by one step more: 2^-10, 2^-7.
  void CheckResult() const {
    grad_input.memory.CopyTo(grad_input.host.data.get());
    double largest = 0, difference = 0;
    for (int64_t i = 0; i < cli::ElementCount(expected_); ++i) {
      const double expected = Number(expected_, i);
      largest = std::max(largest, std::abs(expected));
      difference = std::max(difference, std::abs(Number(grad_input.host, i) - expected));
    }
    const double step = type() == DataType::kFloat16 ? 0x1p-10 : type() == DataType::kBFloat16 ? 0x1p-7 : 0;
    if (!(difference <= (1e-5 + step) * largest))
      throw std::runtime_error("the result is off by " + std::to_string(difference));
  }

  Shape shape;
  DeviceArray grad_output, argmax, rois, grad_input;

 private:
  static double Number(const Array& array, int64_t i) {
    const char* element = static_cast<const char*>(array.data.get()) + i * cli::ElementSize(array.type);
    return test::NumberOf(test::LoadBits(element, array.type), array.type);
  }

  Array expected_;
};

class RoipoolCall {
 public:
  RoipoolCall(const Problem& problem, const Options& options) {
    Require(RoiPoolGradGetWorkspaceSize(problem.Args(), options, &size_, &executor_));
    workspace_ = std::make_unique<CudaMemory>(size_);
  }
  void Run() { Require(RoiPoolGrad(workspace_->address(), size_, executor_.get())); }
  void Finish() { Require(Synchronize(executor_.get())); }

 private:
  uint64_t size_ = 0;
  ExecutorPtr executor_;
  std::unique_ptr<CudaMemory> workspace_;
};

/// The kernels of cuda_peer.cu. Image indices are given, contents are not checked.
class PeerCall {
 public:
  PeerCall(const Problem& problem, const std::string& ptx) : problem_(problem), images_(Images(problem)) {
    RequireCuda("cuModuleLoadData", CallCuda("cuModuleLoadData", &module_, static_cast<const void*>(ptx.c_str())));
    const std::string type = DataTypeName(problem.type());
    const DataType sum_type = problem.type() == DataType::kFloat64 ? DataType::kFloat64 : DataType::kFloat32;
    has_sums_ = sum_type != problem.type();
    if (has_sums_) sums_ = std::make_unique<DeviceArray>(cli::AllocateArray(sum_type, problem.grad_input.host.shape));
    for (auto [name, function] : {std::pair{"zero", &zero_}, {"scatter", &scatter_}, {"finish", &finish_}}) {
      const std::string symbol = std::string("peer_") + name + "_" + type;
      RequireCuda(symbol.c_str(), CallCuda("cuModuleGetFunction", function, module_, symbol.c_str()));
    }
  }
  PeerCall(const PeerCall&) = delete;
  PeerCall& operator=(const PeerCall&) = delete;
  ~PeerCall() { CallCuda("cuModuleUnload", module_); }

  void Run() {
    const Shape& shape = problem_.shape;
    // As struct Shape of cuda_peer.cu.
    std::array<int32_t, 5> sizes = {static_cast<int32_t>(shape.entries()), static_cast<int32_t>(shape.channels),
                                    static_cast<int32_t>(shape.bins()), static_cast<int32_t>(shape.pixels()),
                                    static_cast<int32_t>(shape.images)};
    void* grad_output = problem_.grad_output.data();
    void* argmax = problem_.argmax.data();
    void* images = images_.data();
    void* grad_input = problem_.grad_input.data();
    void* sums = has_sums_ ? sums_->data() : grad_input;
    auto outputs = static_cast<int32_t>(cli::ElementCount(problem_.grad_input.host));
    Launch(zero_, outputs, {&sums, &outputs});
    Launch(scatter_, sizes[0], {&grad_output, &argmax, &images, &sums, sizes.data()});
    Launch(finish_, outputs, {&sums, &grad_input, &outputs});
  }
  void Finish() { RequireCuda("cuCtxSynchronize", CallCuda("cuCtxSynchronize")); }

 private:
  static Array Images(const Problem& problem) {
    Array images = cli::AllocateArray(DataType::kInt32, {problem.shape.rois});
    const auto* rois = static_cast<const float*>(problem.rois.host.data.get());
    for (int64_t r = 0; r < problem.shape.rois; ++r)
      static_cast<int32_t*>(images.data.get())[r] = static_cast<int>(rois[r * 5]);
    return images;
  }

  static void Launch(void* function, int32_t count, std::vector<void*> parameters) {
    constexpr unsigned kThreads = 256, kNone = 0, kOne = 1;
    const unsigned blocks = (static_cast<unsigned>(count) + kThreads - 1) / kThreads;
    void* stream = nullptr;
    void** extra = nullptr;
    RequireCuda("cuLaunchKernel", CallCuda("cuLaunchKernel", function, blocks, kOne, kOne, kThreads, kOne, kOne, kNone, stream,
                                           parameters.data(), extra));
  }

  const Problem& problem_;
  DeviceArray images_;
  bool has_sums_ = false;
  std::unique_ptr<DeviceArray> sums_;
  void* module_ = nullptr;
  void *zero_ = nullptr, *scatter_ = nullptr, *finish_ = nullptr;
};

/// Memory's pace: a copy reads half the bytes and writes the other half.
class CopyCall {
 public:
  explicit CopyCall(const Problem& problem) : bytes_(problem.LeastBytes() / 2), from_(bytes_), to_(bytes_) {}
  void Run() {
    RequireCuda("cuMemcpyDtoDAsync_v2", CallCuda("cuMemcpyDtoDAsync_v2", reinterpret_cast<uint64_t>(to_.address()),
                                                 reinterpret_cast<uint64_t>(from_.address()), bytes_, stream_));
  }

 private:
  size_t bytes_;
  CudaMemory from_, to_;
  void* stream_ = nullptr;
};

class Stopwatch {
 public:
  Stopwatch() {
    for (void** event : {&begin_, &end_}) RequireCuda("cuEventCreate", CallCuda("cuEventCreate", event, 0u));
  }
  ~Stopwatch() {
    for (void* event : {begin_, end_}) CallCuda("cuEventDestroy_v2", event);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  template <typename Call>
  double Seconds(Call& call) {
    Record(begin_);
    call.Run();
    Record(end_);
    RequireCuda("cuEventSynchronize", CallCuda("cuEventSynchronize", end_));
    float milliseconds = 0;
    RequireCuda("cuEventElapsedTime", CallCuda("cuEventElapsedTime", &milliseconds, begin_, end_));
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  static void Record(void* event) {
    void* stream = nullptr;
    RequireCuda("cuEventRecord", CallCuda("cuEventRecord", event, stream));
  }
  void *begin_ = nullptr, *end_ = nullptr;
};

template <typename Call>
void Time(benchmark::State& state, Call& call) {
  Stopwatch watch;
  for (auto iteration : state) state.SetIterationTime(watch.Seconds(call));
}

template <typename Call>
void CheckAndTime(benchmark::State& state, const Problem& problem, Call& call) {
  call.Run();
  call.Finish();
  problem.CheckResult();
  Time(state, call);
}

// One problem at a time: that of the benchmark that runs.
std::unique_ptr<Problem>& LastProblem() {
  static std::unique_ptr<Problem> last;
  return last;
}

const Problem& ProblemOf(const Shape& shape, DataType type, const std::string& folder) {
  std::unique_ptr<Problem>& last = LastProblem();
  if (last == nullptr || last->shape.name != shape.name || last->type() != type) {
    last.reset();
    const auto inputs = folder.empty() ? BenchInputs(shape) : BenchInputs(shape, folder);
    last = std::make_unique<Problem>(inputs, type);
  }
  return *last;
}

// Some schedules are for small planes alone.
bool TakesShape(const Shape& shape, DataType type, const Options& options) {
  const void* no_data = nullptr;
  const auto pooled = [&](DataType element) {
    return ContiguousTensor(no_data, element, {shape.rois, shape.channels, shape.pooled_h, shape.pooled_w});
  };
  void* no_output = nullptr;
  const RoiPoolGradArgs args = {pooled(type), pooled(DataType::kInt32),
                                ContiguousTensor(no_data, DataType::kFloat32, {shape.rois, 5}),
                                ContiguousTensor(no_output, type, {shape.images, shape.channels, shape.height, shape.width})};
  uint64_t size = 0;
  ExecutorPtr executor;
  const Status status = RoiPoolGradGetWorkspaceSize(args, options, &size, &executor);
  if (status.code() != StatusCode::kUnsupported) Require(status);
  return status.ok();
}

struct Request {
  std::string inputs, peer;  // A folder, empty: inputs are made; the PTX of cuda_peer.cu, empty: without it.
};

void RegisterShape(const Shape& shape, DataType type, const Request& request) {
  const auto add = [&](const char* candidate, auto&& body) {
    const std::string name = "roi_pool_grad/" + shape.name + "/" + DataTypeName(type) + "/threads:0/" + candidate;
    benchmark::RegisterBenchmark(name.c_str(),
                                 [body, &shape, type, folder = request.inputs](benchmark::State& state) {
                                   try {
                                     body(state, ProblemOf(shape, type, folder));
                                   } catch (const std::runtime_error& error) {
                                     std::fprintf(stderr, "roipool_cuda_bench: %s\n", error.what());
                                     std::exit(1);
                                   }
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  };
  const auto add_roipool = [&](const char* candidate, Accumulation accumulation, const char* schedule) {
    Options options;
    options.device = Device::kCuda;
    options.accumulation = accumulation;
    options.schedule = schedule;
    options.repeatable = true;
    if (!TakesShape(shape, type, options)) return;
    add(candidate, [options](benchmark::State& state, const Problem& problem) {
      RoipoolCall call(problem, options);
      CheckAndTime(state, problem, call);
    });
  };
  add_roipool("roipool", Accumulation::kFloat, nullptr);
  add_roipool("roipool_fixed_point", Accumulation::kFixedPoint, nullptr);
  add_roipool("roipool_shared_planes", Accumulation::kFixedPoint, "gpu_shared_planes");
  add("stream", [](benchmark::State& state, const Problem& problem) {
    CopyCall call(problem);
    Time(state, call);
  });
  if (!request.peer.empty() && type != DataType::kBFloat16) {
    add("cuda_peer", [ptx = request.peer](benchmark::State& state, const Problem& problem) {
      PeerCall call(problem, ptx);
      CheckAndTime(state, problem, call);
    });
  }
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string DeviceName() {
  std::array<char, 128> name = {};
  RequireCuda("cuDeviceGetName", CallCuda("cuDeviceGetName", name.data(), static_cast<int>(name.size()), 0));
  return name.data();
}

int Main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  if (const std::string missing = test::WhyNoCuda(); !missing.empty()) throw std::runtime_error(missing);
  const std::string device = DeviceName();
  if (argc == 2 && std::string_view(argv[1]) == "--device") return std::puts(device.c_str()), 0;
  Request request;
  request.inputs = TakeOption(arguments, "--inputs");
  if (const std::string path = TakeOption(arguments, "--peer"); !path.empty()) request.peer = ReadFile(path);
  for (const Shape& shape : cli::NamedShapes()) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
      RegisterShape(shape, type, request);
    }
    benchmark::AddCustomContext("bins of shape " + shape.name, std::to_string(shape.entries()));
  }
  benchmark::AddCustomContext("device", device);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  LastProblem().reset();
  Require(ReleaseDevice(Device::kCuda, nullptr));
  return 0;
}

}  // namespace
}  // namespace roipool::bench

// usage: roipool_cuda_bench [--device | --inputs FOLDER] [--peer FILE.ptx] [--benchmark_filter=REGEX] [--benchmark_...]
int main(int argc, char** argv) {
  try {
    return roipool::bench::Main(argc, argv);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "roipool_cuda_bench: %s\n", error.what());
    return 1;
  }
}
