// Where kernels may read and write.
#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using Memory = FakeCuda;

TEST_F(Memory, AddsANumberToEveryElement) {
  const Outcome outcome =
      RunBody("ld.global.u32 %r10, [%rd2];\nadd.s32 %r10, %r10, %r2;\nst.global.u32 [%rd2], %r10;", {4, 32, 7});
  ASSERT_EQ(outcome.launch, kSuccess);
  for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(outcome.memory[i], i + 7);
}

TEST_F(Memory, ReportsAnElementPastTheEnd) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunBody("st.global.u32 [%rd2+4], %r1;", {4, 32}).launch, kIllegalAddress);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::HasSubstr("st.global.u32 [%rd2+4], %r1;' by block (3,0,0) thread (31,0,0)"),
                             testing::HasSubstr("byte offset 512, 4 bytes past the end of allocation")));
}

TEST_F(Memory, ReportsAnElementBeforeTheStart) {
  EXPECT_EQ(RunBody("st.global.u32 [%rd2+-4], %r1;", {4, 32}).launch, kIllegalAddress);
}

TEST_F(Memory, ReportsAMisalignedAccess) { EXPECT_EQ(RunBody("st.global.u32 [%rd2+2], %r1;", {}).launch, kMisalignedAddress); }

TEST_F(Memory, ReportsAMisalignedVector) {
  EXPECT_EQ(RunBody("ld.global.nc.v4.u32 {%r10, %r11, %r12, %r13}, [%rd1+4];", {1, 1, 0, 0, 16}).launch, kMisalignedAddress);
}

TEST_F(Memory, ReportsANullPointer) {
  EXPECT_EQ(RunBody("mov.u64 %rd5, 0;\nld.global.u32 %r10, [%rd5];", {}).launch, kIllegalAddress);
}

TEST_F(Memory, ReportsReadsOfUnwrittenMemory) {
  uint64_t memory;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 8), kSuccess);
  ASSERT_EQ(cuMemsetD32_v2(memory, 1, 1), kSuccess);
  Set("FAKE_CUDA_INIT", "error");
  const Kernel first("ld.global.u32 %r10, [%rd1+4];"), second("st.global.u32 [%rd1+4], 5;\nld.global.u32 %r10, [%rd1+4];");
  ASSERT_EQ(second.Launch(memory, {}), kSuccess);
  EXPECT_EQ(cuCtxSynchronize(), kSuccess);
  uint64_t unwritten;
  ASSERT_EQ(cuMemAlloc_v2(&unwritten, 8), kSuccess);
  ASSERT_EQ(first.Launch(unwritten, {}), kSuccess);
  EXPECT_EQ(cuCtxSynchronize(), kLaunchFailed);
  fake_cuda_reset();
  EXPECT_EQ(cuMemFree_v2(memory), kSuccess);
  EXPECT_EQ(cuMemFree_v2(unwritten), kSuccess);
}

TEST_F(Memory, HoldsConstants) {
  const Outcome outcome = RunSource(KernelSource("mov.u64 %rd5, table;\nmul.wide.u32 %rd6, %r5, 4;\nadd.s64 %rd5, %rd5, %rd6;\n"
                                                 "ld.const.u32 %r10, [%rd5];\nst.global.u32 [%rd2], %r10;",
                                                 ".const .align 4 .u32 table[3] = {5, 6, 7};\n"),
                                    {1, 3});
  EXPECT_EQ(outcome.launch, kSuccess);
  EXPECT_THAT(outcome.memory, testing::ElementsAre(5, 6, 7));
}

TEST_F(Memory, RefusesWritesToConstants) {
  EXPECT_EQ(
      RunSource(KernelSource("mov.u64 %rd5, table;\nst.global.u32 [%rd5], 1;", ".const .align 4 .u32 table[1] = {5};\n"), {})
          .launch,
      kIllegalAddress);
}

constexpr char kUseOfStack[] =
    "mov.u64 %rd5, stack;\nst.local.u32 [%rd5+4], %r1;\ncvta.local.u64 %rd6, %rd5;\nld.u32 %r10, [%rd6+4];\n"
    "st.global.u32 [%rd2], %r10;";

TEST_F(Memory, LocalByAGenericAddress) {
  const Outcome outcome = RunBody(std::string(".local .align 4 .b8 stack[8];\n") + kUseOfStack, {1, 4});
  EXPECT_EQ(outcome.launch, kSuccess);
  EXPECT_THAT(outcome.memory, testing::ElementsAre(0, 1, 2, 3));
}

TEST_F(Memory, ReportsAnUnknownNameWhenItIsUsed) { EXPECT_EQ(RunBody(kUseOfStack, {1, 4}).launch, kNotSupported); }

TEST_F(Memory, SharedVariable) {
  const Outcome outcome =
      RunSource(KernelSource("mov.u32 %r9, buf;\nshl.b32 %r8, %r5, 2;\nadd.s32 %r9, %r9, %r8;\nst.shared.u32 [%r9], %r1;\n"
                             "bar.sync 0;\nxor.b32 %r8, %r8, 4;\nmov.u32 %r9, buf;\nadd.s32 %r9, %r9, %r8;\n"
                             "ld.shared.u32 %r10, [%r9];\nst.global.u32 [%rd2], %r10;",
                             ".shared .align 4 .b8 buf[128];\n"),
                {1, 32});
  EXPECT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[0], 1u);
  EXPECT_EQ(outcome.memory[31], 30u);
}

TEST_F(Memory, VectorsOfReadOnlyLoads) {
  const Outcome outcome = RunBody(
      "mul.wide.s32 %rd5, %r1, 16;\nadd.s64 %rd6, %rd1, %rd5;\nld.global.nc.v4.u32 {%r10, %r11, %r12, %r13}, [%rd6];\n"
      "add.s32 %r10, %r10, %r13;\nld.global.nc.f32 %f1, [%rd1+64];\nadd.s64 %rd7, %rd2, 64;\nst.global.u32 [%rd7], %r10;",
      {1, 4, 0, 0, 64});
  ASSERT_EQ(outcome.launch, kLaunchFailed) << "read by one thread, written by another";
  const Outcome apart = RunBody(
      "mul.wide.s32 %rd5, %r1, 16;\nadd.s64 %rd6, %rd1, %rd5;\nld.global.nc.v4.u32 {%r10, %r11, %r12, %r13}, [%rd6];\n"
      "add.s32 %r10, %r10, %r13;\nst.global.u32 [%rd2+128], %r10;",
      {1, 4, 0, 0, 64});
  ASSERT_EQ(apart.launch, kSuccess);
  for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(apart.memory[32 + i], 8 * i + 3);
}

TEST_F(Memory, HalvesAreLoadedAsBits) {
  EXPECT_EQ(ValueOf("mov.b32 %r8, 0x3c00c000;\nst.global.u32 [%rd1], %r8;\nld.global.nc.b16 %rs1, [%rd1];\n"
                    "ld.global.b16 %rs2, [%rd1+2];\ncvt.f32.f16 %f1, %rs1;\ncvt.f32.f16 %f2, %rs2;\nadd.rn.f32 %f3, %f1, %f2;\n"
                    "mov.b32 %r10, %f3;"),
            Bits(-1.0f));
}

}  // namespace
}  // namespace roipool::fake_cuda
