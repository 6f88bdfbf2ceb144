// What instructions compute.
#include <cmath>

#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using Arithmetic = FakeCuda;

TEST_F(Arithmetic, Integers) {
  EXPECT_EQ(ValueOf("mov.u32 %r8, -7;\nmov.u32 %r9, 2;\ndiv.s32 %r10, %r8, %r9;"), static_cast<uint32_t>(-3)) << "div.s32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, -7;\nmov.u32 %r9, 2;\nrem.s32 %r10, %r8, %r9;"), static_cast<uint32_t>(-1)) << "rem.s32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, -8;\nshr.s32 %r10, %r8, 1;"), static_cast<uint32_t>(-4)) << "shr.s32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 3;\nshl.b32 %r10, %r8, 32;"), 0u) << "shl.b32 by the width";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x80000000;\nmov.u32 %r9, 6;\nmul.hi.u32 %r10, %r8, %r9;"), 3u) << "mul.hi.u32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0xffffffff;\nadd.cc.u32 %r9, %r8, 1;\naddc.u32 %r10, 5, 0;"), 6u) << "add.cc, addc";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x12345678;\nbfe.u32 %r10, %r8, 8, 8;"), 0x56u) << "bfe.u32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x12345678;\nprmt.b32 %r10, %r8, 0, 0x0123;"), 0x78563412u) << "prmt.b32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x00ff00ff;\nmov.u32 %r9, 0x0f0f0f0f;\nlop3.b32 %r10, %r8, %r9, 0, 0x3c;"),
            (0x00ff00ffu ^ 0x0f0f0f0fu))
      << "lop3.b32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x80000001;\nmov.u32 %r9, 1;\nshf.l.wrap.b32 %r10, %r8, %r9, 4;"), 0x18u) << "shf.l.wrap.b32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 0x01020304;\nmov.u32 %r9, 0x01010101;\ndp4a.s32.s32 %r10, %r8, %r9, 100;"), 110u) << "dp4a";
  EXPECT_EQ(ValueOf("mov.u32 %r8, -1;\nclz.b32 %r10, %r8;"), 0u) << "clz.b32";
  EXPECT_EQ(ValueOf("mov.u32 %r8, 1;\nclz.b32 %r10, %r8;"), 31u) << "clz.b32";
}

TEST_F(Arithmetic, Conversions) {
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(2.5f) + ";\ncvt.rni.s32.f32 %r10, %f1;"), 2u) << "cvt.rni.s32.f32";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(-2.5f) + ";\ncvt.rzi.s32.f32 %r10, %f1;"), static_cast<uint32_t>(-2))
      << "cvt.rzi.s32.f32";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(3e9f) + ";\ncvt.rzi.s32.f32 %r10, %f1;"), 0x7fffffffu)
      << "cvt.rzi.s32.f32 clamps";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(NAN) + ";\ncvt.rzi.s32.f32 %r10, %f1;"), 0u) << "cvt.rzi.s32.f32 of NaN";
  EXPECT_EQ(ValueOf("mov.u64 %rd5, 0x100000180000001;\ncvt.rn.f32.u64 %f1, %rd5;\nmov.b32 %r10, %f1;"),
            Bits(static_cast<float>(0x100000180000001ull)))
      << "cvt.rn.f32.u64";
  EXPECT_EQ(
      ValueOf("mov.f32 %f1, " + Literal(1.0f / 3) + ";\ncvt.rn.f16.f32 %rs1, %f1;\ncvt.f32.f16 %f2, %rs1;\nmov.b32 %r10, %f2;"),
      Bits(0.333251953125f))
      << "cvt.rn.f16.f32";
}

TEST_F(Arithmetic, Floats) {
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(1.0f) + ";\nmov.f32 %f2, " + Literal(1e-10f) +
                    ";\nadd.rp.f32 %f3, %f1, %f2;\nmov.b32 %r10, %f3;"),
            Bits(std::nextafter(1.f, 2.f)))
      << "add.rp.f32";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(1.1f) + ";\nmov.f32 %f2, " + Literal(1.3f) + ";\nmov.f32 %f3, " +
                    Literal(-1.43f) + ";\nfma.rn.f32 %f4, %f1, %f2, %f3;\nmov.b32 %r10, %f4;"),
            Bits(std::fma(1.1f, 1.3f, -1.43f)))
      << "fma.rn.f32";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(NAN) + ";\nmov.f32 %f2, " + Literal(2.f) +
                    ";\nmin.f32 %f3, %f1, %f2;\nmov.b32 %r10, %f3;"),
            Bits(2.f))
      << "min.f32 with NaN";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(NAN) + ";\nsetp.leu.f32 %p1, %f1, %f1;\nselp.u32 %r10, 1, 0, %p1;"), 1u)
      << "setp.leu.f32 with NaN";
  EXPECT_EQ(ValueOf("mov.f32 %f1, 0f00000001;\nadd.ftz.f32 %f2, %f1, %f1;\nmov.b32 %r10, %f2;"), 0u) << "add.ftz.f32";
  EXPECT_EQ(ValueOf("mov.f32 %f1, " + Literal(-1.f) + ";\nmov.f32 %f2, " + Literal(3.f) +
                    ";\ncopysign.f32 %f3, %f1, %f2;\nmov.b32 %r10, %f3;"),
            Bits(-3.f))
      << "copysign.f32";
}

// What an atomic addition of `addend` in %f1 makes of `number`, which is in global memory at [%rd2] and in shared memory at
// [%rd5], whose generic address is %rd6.
uint32_t AtomicSum(const std::string& addition, uint32_t number, uint32_t addend) {
  const bool in_shared = addition.find("%rd2") == std::string::npos;
  const std::string body = "mov.u64 %rd5, buf;\ncvta.shared.u64 %rd6, %rd5;\nst.shared.u32 [%rd5], " + std::to_string(number) +
                           ";\nst.global.u32 [%rd2], " + std::to_string(number) + ";\nmov.u32 %r8, " + std::to_string(addend) +
                           ";\nmov.b32 %f1, %r8;\n" + addition + "\nld." +
                           (in_shared ? "shared.u32 %r10, [%rd5]" : "global.u32 %r10, [%rd2]") +
                           ";\nst.global.u32 [%rd2], %r10;";
  const Outcome outcome = RunSource(KernelSource(body, ".shared .align 4 .b8 buf[4];\n"), {});
  EXPECT_EQ(outcome.launch, kSuccess);
  return outcome.memory[0];
}

TEST_F(Arithmetic, AtomicAdditionsOfFloatsFlushSubnormalsInGlobalMemoryAlone) {
  constexpr uint32_t kSign = 0x80000000, kSmallest = 1, kNormal = 0x00800000;
  for (const char* global :
       {"atom.global.add.f32 %f2, [%rd2], %f1;", "red.global.add.f32 [%rd2], %f1;", "red.add.f32 [%rd2], %f1;"}) {
    SCOPED_TRACE(global);
    EXPECT_EQ(AtomicSum(global, Bits(1), Bits(2)), Bits(3));
    EXPECT_EQ(AtomicSum(global, kNormal, kNormal), kNormal * 2);
    EXPECT_EQ(AtomicSum(global, kNormal, kSmallest), kNormal) << "the addend";
    EXPECT_EQ(AtomicSum(global, kNormal - 1, kNormal), kNormal) << "what is there";
    EXPECT_EQ(AtomicSum(global, kNormal + 1, kNormal | kSign), 0u) << "the sum";
    EXPECT_EQ(AtomicSum(global, kNormal, (kNormal + 1) | kSign), kSign);
    EXPECT_EQ(AtomicSum(global, kSmallest | kSign, kSmallest | kSign), kSign);
  }
  for (const char* shared :
       {"atom.shared.add.f32 %f2, [%rd5], %f1;", "red.shared.add.f32 [%rd5], %f1;", "red.add.f32 [%rd6], %f1;"}) {
    SCOPED_TRACE(shared);
    EXPECT_EQ(AtomicSum(shared, kSmallest, kSmallest), 2u);
    EXPECT_EQ(AtomicSum(shared, kNormal, kSmallest), kNormal + 1);
    EXPECT_EQ(AtomicSum(shared, kNormal + 1, kNormal | kSign), 1u);
  }
}

TEST_F(Arithmetic, Selections) {
  EXPECT_EQ(ValueOf("setp.eq.u32 %p1, %r1, 0;\nselp.b32 %r10, 3, 4, %p1;"), 3u);
  EXPECT_EQ(ValueOf("setp.ne.u32 %p1, %r1, 0;\nselp.u32 %r10, 3, 4, %p1;"), 4u);
  EXPECT_EQ(ValueOf("setp.eq.u32 %p1, %r1, 0;\nselp.f32 %f1, 0f3F800000, 0f40000000, !%p1;\nmov.b32 %r10, %f1;"), Bits(2.0f));
}

TEST_F(Arithmetic, CallOfADeviceFunction) {
  const Outcome outcome = RunSource(
      KernelSource(
          "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 ret;\ncall.uni (ret), twice, (a);\n"
          "ld.param.b32 %r10, [ret];\n}\nst.global.u32 [%rd2], %r10;",
          ".func (.param .b32 twice_r) twice (.param .b32 twice_0)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [twice_0];\n"
          "add.s32 %r2, %r1, %r1;\nst.param.b32 [twice_r], %r2;\nret;\n}\n"),
      {1, 8});
  EXPECT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[7], 14u);
}

constexpr char kTexture[] = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];";

TEST_F(Arithmetic, AnUnsupportedInstructionIsReportedWhenItRuns) { EXPECT_EQ(RunBody(kTexture, {}).launch, kNotSupported); }

TEST_F(Arithmetic, AnUnsupportedInstructionIsNoErrorOtherwise) {
  const std::string body = std::string("setp.eq.u32 %p1, %r1, 99;\n@!%p1 bra L;\n") + kTexture + "\nL:";
  EXPECT_EQ(RunBody(body, {}).launch, kSuccess);
  Set("FAKE_CUDA_STRICT", "1");
  EXPECT_EQ(RunBody(body, {}).load, kNotSupported);
}

}  // namespace
}  // namespace roipool::fake_cuda
