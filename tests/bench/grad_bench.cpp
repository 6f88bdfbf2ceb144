// How long the gradient takes per bin, what its check of argmax costs, and how it compares with a plain C++ loop. Repetitions
// of all candidates are interleaved; the shortest counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "grad_inputs.h"
#include "index_guard.h"
#include "kernel_registry.h"
#include "kernel_select.h"
#include "launch.h"
#include "roipool/kernels.h"

#define ROIPOOL_DECLARE_UNCHECKED(isa)                                                                                   \
  extern "C" int roi_pool_grad_f32_cpu_channel_blocks_unchecked_##isa(const void*, halide_buffer_t*, halide_buffer_t*,   \
                                                                      halide_buffer_t*, halide_buffer_t*, int32_t, bool, \
                                                                      halide_buffer_t*, halide_buffer_t*)
ROIPOOL_DECLARE_UNCHECKED(baseline);
ROIPOOL_DECLARE_UNCHECKED(avx2);
ROIPOOL_DECLARE_UNCHECKED(avx512);

namespace roipool::bench {
namespace {

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message());
  std::exit(1);
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

// Phase 2 as users call it, on an executor that was planned once.
class LibraryCall {
 public:
  LibraryCall(const RoiPoolGradArgs& args, int32_t threads) {
    Options options;
    options.threads = threads;
    options.repeatable = true;
    Require(RoiPoolGradGetWorkspaceSize(args, options, &size_, &executor_));
    workspace_.reset(std::aligned_alloc(kWorkspaceAlignment, size_));
  }
  void Run() { Require(RoiPoolGrad(workspace_.get(), size_, executor_.get())); }

 private:
  uint64_t size_ = 0;
  ExecutorPtr executor_;
  std::unique_ptr<void, FreeDeleter> workspace_;
};

// The kernel alone, on rois that were sorted once.
class KernelCall {
 public:
  KernelCall(const GradInputs& inputs, std::vector<float>& grad_input, const internal::Kernel& kernel) : kernel_(kernel) {
    const Shape& shape = inputs.shape;
    const RoiPoolGradArgs args = inputs.args(grad_input);
    images_.resize(static_cast<size_t>(shape.rois));
    order_.resize(images_.size());
    begin_.resize(static_cast<size_t>(shape.images) + 1);
    Require(internal::ReadImages("bench", args.rois, shape.images, images_.data()));
    internal::SortByImage(images_.data(), shape.rois, shape.images, order_.data(), begin_.data());
    const internal::GradSizes sizes = {shape.rois, shape.channels, shape.pooled_h * shape.pooled_w, shape.images,
                                       shape.height * shape.width};
    launch_ = {.sizes = sizes,
               .tasks = internal::ChooseGradTasks(sizes, 1),
               .grad_output = args.grad_output.data,
               .grad_output_roi_stride = args.grad_output.strides[0],
               .grad_output_channel_stride = args.grad_output.strides[1],
               .argmax = static_cast<const int32_t*>(args.argmax.data),
               .argmax_roi_stride = args.argmax.strides[0],
               .argmax_channel_stride = args.argmax.strides[1],
               .order = order_.data(),
               .begin = begin_.data(),
               .images = images_.data(),
               .sums = nullptr,
               .grad_input = args.grad_input.data,
               .grad_input_image_stride = args.grad_input.strides[0],
               .grad_input_channel_stride = args.grad_input.strides[1]};
  }
  void Run() {
    bool found_bad_argmax = false;
    Require(internal::LaunchRoiPoolGrad("bench", kernel_, 1, launch_, &found_bad_argmax));
  }

 private:
  internal::Kernel kernel_;
  std::vector<int32_t> images_, order_, begin_;
  internal::RoiPoolGradLaunch launch_ = {};
};

// What one would write without this library: memory order, one thread, addresses out of the inner loop.
void RunPlainLoop(const GradInputs& inputs, std::vector<float>& grad_input) {
  const Shape& shape = inputs.shape;
  const int64_t bins = shape.pooled_h * shape.pooled_w, pixels = shape.height * shape.width;
  std::fill(grad_input.begin(), grad_input.end(), 0.0f);
  for (int64_t r = 0; r < shape.rois; ++r) {
    float* image = grad_input.data() + static_cast<int64_t>(inputs.rois[static_cast<size_t>(r) * 5]) * shape.channels * pixels;
    for (int64_t c = 0; c < shape.channels; ++c) {
      const int64_t row = (r * shape.channels + c) * bins;
      const float* gradients = inputs.grad_output.data() + row;
      const int32_t* targets = inputs.argmax.data() + row;
      float* plane = image + c * pixels;
      for (int64_t j = 0; j < bins; ++j) {
        if (targets[j] >= 0) plane[targets[j]] += gradients[j];
      }
    }
  }
}

// Remembers the shortest repetition of each benchmark.
class ShortestReporter : public benchmark::ConsoleReporter {
 public:
  bool ReportContext(const Context& context) override {
    return reported_ || (reported_ = ConsoleReporter::ReportContext(context));
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double nanoseconds = run.real_accumulated_time * 1e9 / static_cast<double>(run.iterations);
      const auto [entry, is_new] = shortest_.try_emplace(run.run_name.function_name, nanoseconds);
      if (!is_new) entry->second = std::min(entry->second, nanoseconds);
    }
  }
  double Nanoseconds(const std::string& name) const { return shortest_.at(name); }

 private:
  bool reported_ = false;
  std::map<std::string, double> shortest_;
};

internal::Kernel CheckedKernel() {
  internal::KernelRequest request;
  const internal::Kernel* kernel = nullptr;
  Require(internal::MakeKernelRequest("bench", {}, &request));
  Require(internal::SelectKernel("bench", Operator::kRoiPoolGrad, DataType::kFloat32, request, &kernel));
  return *kernel;
}

internal::Kernel UncheckedTwinOf(internal::Kernel kernel) {
  kernel.name = "unchecked";
  kernel.roi_pool_grad = kernel.isa == Isa::kAvx512 ? roi_pool_grad_f32_cpu_channel_blocks_unchecked_avx512
                         : kernel.isa == Isa::kAvx2 ? roi_pool_grad_f32_cpu_channel_blocks_unchecked_avx2
                                                    : roi_pool_grad_f32_cpu_channel_blocks_unchecked_baseline;
  return kernel;
}

template <typename Body>
void Register(const char* name, const Body& body) {
  benchmark::RegisterBenchmark(name,
                               [body](benchmark::State& state) {
                                 for (auto iteration : state) body();
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void MeasureShape(const Shape& shape, bool sorted_by_image, ShortestReporter& reporter) {
  const GradInputs inputs(shape, sorted_by_image);
  std::vector<float> grad_input(static_cast<size_t>(shape.outputs())), expected(grad_input.size());
  LibraryCall library_1(inputs.args(grad_input), 1), library_2(inputs.args(grad_input), 2);
  KernelCall checked(inputs, grad_input, CheckedKernel()), unchecked(inputs, grad_input, UncheckedTwinOf(CheckedKernel()));
  RunPlainLoop(inputs, expected);
  library_1.Run();
  if (std::memcmp(grad_input.data(), expected.data(), expected.size() * sizeof(float)) != 0) {
    std::fprintf(stderr, "the library and the plain loop differ on shape %s\n", shape.name);
    std::exit(1);
  }
  const std::string prefix = std::string(shape.name) + (sorted_by_image ? "/sorted/" : "/unsorted/");
  const auto name = [&](const char* candidate) { return prefix + candidate; };
  benchmark::ClearRegisteredBenchmarks();
  Register(name("library, 1 thread").c_str(), [&] { library_1.Run(); });
  Register(name("library, 2 threads").c_str(), [&] { library_2.Run(); });
  Register(name("kernel").c_str(), [&] { checked.Run(); });
  Register(name("kernel, unchecked").c_str(), [&] { unchecked.Run(); });
  Register(name("plain loop").c_str(), [&] { RunPlainLoop(inputs, grad_input); });
  benchmark::RunSpecifiedBenchmarks(&reporter, ".*");

  const auto per_bin = [&](const char* candidate) {
    return reporter.Nanoseconds(name(candidate)) / static_cast<double>(shape.entries());
  };
  std::printf("%-5s %-9s %9.3f %9.3f %9.3f %9.3f %9.3f %15.3f %13.3f\n", shape.name, sorted_by_image ? "sorted" : "unsorted",
              per_bin("library, 1 thread"), per_bin("library, 2 threads"), per_bin("kernel"), per_bin("kernel, unchecked"),
              per_bin("plain loop"), per_bin("kernel") / per_bin("kernel, unchecked"),
              per_bin("library, 1 thread") / per_bin("plain loop"));
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  std::string only;
  if (argc > 1 && argv[1][0] != '-') {
    only = argv[1];
    argv[1] = argv[0];
    ++argv;
    --argc;
  }
  // Defaults first, so that the command line may override them.
  char repetitions[] = "--benchmark_repetitions=7", interleaving[] = "--benchmark_enable_random_interleaving=true",
       min_time[] = "--benchmark_min_time=0.1";
  std::vector<char*> arguments = {argv[0], repetitions, interleaving, min_time};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  std::printf("float32, kernel %s; ns per bin, the shortest of all repetitions\n", CheckedKernel().name);
  std::printf("%-5s %-9s %9s %9s %9s %9s %9s %15s %13s\n", "shape", "rois", "library 1", "library 2", "kernel", "unchecked",
              "plain", "checked/unchecked", "library/plain");
  ShortestReporter reporter;
  for (const Shape& shape : kShapes) {
    if (!only.empty() && only != shape.name) continue;
    for (const bool sorted_by_image : {true, false}) MeasureShape(shape, sorted_by_image, reporter);
  }
  return 0;
}

}  // namespace
}  // namespace roipool::bench

// usage: roipool_grad_bench [A|B|C|E] [--benchmark_...]
int main(int argc, char** argv) { return roipool::bench::Main(argc, argv); }
