#include "kernel.h"

#include <bit>
#include <cstdio>
#include <memory>
#include <numeric>

namespace roipool::fake_cuda {

std::string KernelSource(const std::string& body, const std::string& globals) {
  return ".version 6.0\n.target sm_50\n.address_size 64\n" + globals +
         ".visible .entry k(.param .u64 k_0, .param .u32 k_1)\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<40>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<20>;\n.reg .f64 %fd<9>;\n"
         "ld.param.u64 %rd0, [k_0];\ncvta.to.global.u64 %rd1, %rd0;\nld.param.u32 %r2, [k_1];\n"
         "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r1, %r3, %r4, %r5;\n"
         "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n" +
         body + "\nret;\n}\n";
}

FakeCuda::FakeCuda() {
  fake_cuda_reset();
  EXPECT_EQ(cuInit(0), kSuccess);
  EXPECT_EQ(cuCtxCreate_v2(&context_, 0, 0), kSuccess);
  fake_cuda_reset();
}

FakeCuda::~FakeCuda() {
  environment_.clear();
  fake_cuda_reset();
  EXPECT_EQ(cuCtxDestroy_v2(context_), kSuccess);
}

void FakeCuda::Set(const char* name, const char* value) {
  environment_.push_back(std::make_unique<test::ScopedEnvironment>(name, value));
  fake_cuda_reset();
}

std::string FakeCuda::Log() const {
  std::string log(fake_cuda_log(nullptr, 0), ' ');
  fake_cuda_log(log.data(), log.size() + 1);
  return log;
}

Outcome RunSource(const std::string& source, const Shape& shape) {
  const size_t elements = shape.elements != 0 ? shape.elements : shape.grid * shape.block;
  Outcome outcome = {0, -1, std::vector<uint32_t>(elements)};
  std::iota(outcome.memory.begin(), outcome.memory.end(), 0);
  void *module, *function;
  outcome.load = cuModuleLoadData(&module, source.c_str());
  if (outcome.load != kSuccess) return outcome;
  uint64_t memory = 0;
  EXPECT_EQ(cuMemAlloc_v2(&memory, 4 * elements), kSuccess);
  EXPECT_EQ(cuMemcpyHtoD_v2(memory, outcome.memory.data(), 4 * elements), kSuccess);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), kSuccess);
  unsigned n = shape.n;
  void* arguments[] = {&memory, &n};
  outcome.launch = cuLaunchKernel(function, shape.grid, 1, 1, shape.block, 1, 1, shape.shared, nullptr, arguments, nullptr);
  if (outcome.launch == kSuccess) outcome.launch = cuCtxSynchronize();
  if (outcome.launch != kSuccess) fake_cuda_reset();
  EXPECT_EQ(cuMemcpyDtoH_v2(outcome.memory.data(), memory, 4 * elements), kSuccess);
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  EXPECT_EQ(cuModuleUnload(module), kSuccess);
  return outcome;
}

uint32_t ValueOf(const std::string& body) {
  const Outcome outcome = RunBody(body + "\nst.global.u32 [%rd2], %r10;", {});
  return outcome.load == kSuccess && outcome.launch == kSuccess ? outcome.memory[0] : 0xdeadbeef;
}

uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

std::string Literal(float value) {
  char text[20];
  std::snprintf(text, sizeof text, "0f%08X", Bits(value));
  return text;
}

Kernel::Kernel(const std::string& body) {
  EXPECT_EQ(cuModuleLoadData(&module_, KernelSource(body).c_str()), kSuccess);
  EXPECT_EQ(cuModuleGetFunction(&function_, module_, "k"), kSuccess);
}

Kernel::~Kernel() { cuModuleUnload(module_); }

int Kernel::Launch(uint64_t memory, const Shape& shape, void* stream) const {
  unsigned n = shape.n;
  void* arguments[] = {&memory, &n};
  return cuLaunchKernel(function_, shape.grid, 1, 1, shape.block, 1, 1, shape.shared, stream, arguments, nullptr);
}

}  // namespace roipool::fake_cuda
