#include "bench_inputs.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "element.h"
#include "inputs.h"
#include "npy.h"
#include "plain_loop.h"

namespace roipool::bench {
namespace {

using cli::Array;

std::string FileOf(const std::string& folder, const Shape& shape, const char* tensor) {
  return folder + "/" + shape.name + "_" + tensor + ".npy";
}

void SaveTo(const std::string& path, const Array& array) {
  cli::OutputFile file(path);
  cli::SaveNpy(array, file);
  file.Commit();
}

}  // namespace

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message());
  std::exit(1);
}

BenchInputs::BenchInputs(const Shape& s) : shape(s) {
  std::mt19937 random = cli::InputRandom();
  rois = cli::MakeRois(shape, random);
  x = cli::MakeNumbers({shape.images, shape.channels, shape.height, shape.width}, random);
  grad_output = cli::MakeNumbers({shape.rois, shape.channels, shape.pooled_h, shape.pooled_w}, random);
  argmax = cli::AllocateArray(DataType::kInt32, grad_output.shape);

  y = NewPooled(DataType::kFloat32);
  uint64_t size = 0;
  ExecutorPtr executor;
  Require(RoiPoolGetWorkspaceSize(PoolArgs(x, y, argmax), {}, &size, &executor));
  const Array workspace = cli::AllocateArray(DataType::kInt64, {static_cast<int64_t>(size / sizeof(int64_t))});
  Require(RoiPool(workspace.data.get(), size, executor.get()));
}

BenchInputs::BenchInputs(const Shape& s, const std::string& folder) : shape(s) {
  const auto load = [&](const char* tensor) { return cli::LoadNpy(FileOf(folder, s, tensor), cli::Uint16::kRejected); };
  x = load("x");
  rois = load("rois");
  argmax = load("argmax");
  grad_output = load("grad_output");
}

void BenchInputs::Save(const std::string& folder) const {
  Array grad_input = NewGradInput(DataType::kFloat32);
  RunPlainLoop(*this, grad_input);
  SaveTo(FileOf(folder, shape, "x"), x);
  SaveTo(FileOf(folder, shape, "rois"), rois);
  SaveTo(FileOf(folder, shape, "argmax"), argmax);
  SaveTo(FileOf(folder, shape, "grad_output"), grad_output);
  SaveTo(FileOf(folder, shape, "grad_input"), grad_input);
  SaveTo(FileOf(folder, shape, "y"), y);
}

RoiPoolGradArgs BenchInputs::GradArgs(const Array& grad_output_of_type, Array& grad_input) const {
  RoiPoolGradArgs args;
  args.grad_output = cli::View(grad_output_of_type);
  args.argmax = cli::View(argmax);
  args.rois = cli::View(rois);
  args.grad_input = cli::MutableView(grad_input);
  return args;
}

RoiPoolArgs BenchInputs::PoolArgs(const Array& x_of_type, Array& y_out, Array& argmax_out) const {
  RoiPoolArgs args;
  args.x = cli::View(x_of_type);
  args.rois = cli::View(rois);
  args.y = cli::MutableView(y_out);
  args.argmax = cli::MutableView(argmax_out);
  return args;
}

Array BenchInputs::NewGradInput(DataType type) const { return cli::AllocateArray(type, x.shape); }
Array BenchInputs::NewPooled(DataType type) const { return cli::AllocateArray(type, grad_output.shape); }

Array Converted(const Array& numbers, DataType type) {
  if (type == numbers.type) return numbers;
  Array converted = cli::AllocateArray(type, numbers.shape);
  const auto size = static_cast<size_t>(cli::ElementSize(type));
  const auto* from = static_cast<const float*>(numbers.data.get());
  auto* to = static_cast<std::byte*>(converted.data.get());
  for (int64_t i = 0; i < cli::ElementCount(numbers); ++i) {
    const uint64_t bits = test::BitsOf(from[i], type);
    std::memcpy(to + static_cast<size_t>(i) * size, &bits, size);
  }
  return converted;
}

}  // namespace roipool::bench
