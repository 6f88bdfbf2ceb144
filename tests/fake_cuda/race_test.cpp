// Threads that meet: races, barriers, warps and atomics.
#include "kernel.h"

namespace roipool::fake_cuda {
namespace {

using Race = FakeCuda;
using testing::ElementsAre;

constexpr char kStoreShared[] = "mul.wide.u32 %rd5, %r5, 4;\nst.shared.u32 [%rd5], %r1;\n";
constexpr char kLoadReversed[] =
    "sub.s32 %r11, %r4, 1;\nsub.s32 %r11, %r11, %r5;\nmul.wide.u32 %rd6, %r11, 4;\nld.shared.u32 %r10, [%rd6];\n"
    "st.global.u32 [%rd2], %r10;";

TEST_F(Race, IsReportedBetweenReadAndWrite) {
  const std::string body = "ld.global.u32 %r10, [%rd1];\nadd.s32 %r10, %r10, 1;\nst.global.u32 [%rd1], %r10;";
  EXPECT_EQ(RunBody(body, {1, 32}).launch, kLaunchFailed);
  EXPECT_EQ(RunBody(body, {32, 1}).launch, kLaunchFailed);
  EXPECT_EQ(RunBody(body, {1, 1}).launch, kSuccess);
}

TEST_F(Race, IsReportedBetweenOneReaderAndOneWriter) {
  const std::string body = "setp.eq.u32 %p1, %r1, 0;\n@%p1 ld.global.u32 %r10, [%rd1];\n@!%p1 st.global.u32 [%rd1], 5;";
  EXPECT_EQ(RunBody(body, {1, 2}).launch, kLaunchFailed);
  EXPECT_EQ(RunBody(body, {2, 1}).launch, kLaunchFailed);
}

TEST_F(Race, BarriersDoNotOrderBlocks) {
  EXPECT_EQ(RunBody("setp.eq.u32 %p1, %r3, 0;\n@!%p1 bra L;\nbar.sync 0;\nL: st.global.u32 [%rd1], %r3;", {2, 1}).launch,
            kLaunchFailed);
}

TEST_F(Race, BytesAreLookedAtOneByOne) {
  const std::string store = "cvt.s64.s32 %rd5, %r1;\nadd.s64 %rd6, %rd1, %rd5;\nst.global.u8 [%rd6], %r1;";
  const Outcome outcome = RunBody(store, {2, 8});
  EXPECT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[1], 0x07060504u);
  EXPECT_EQ(RunBody("st.global.u32 [%rd2], 9;\n" + store, {1, 8}).launch, kLaunchFailed);
  EXPECT_EQ(RunBody("st.global.u8 [%rd1+5], %r1;", {1, 2}).launch, kLaunchFailed);
}

TEST_F(Race, CanBeIgnored) {
  Set("FAKE_CUDA_RACE", "off");
  EXPECT_EQ(RunBody("st.global.u32 [%rd1], %r1;", {1, 32}).launch, kSuccess);
}

TEST_F(Race, WritesOfTheSameValueAreNone) { EXPECT_EQ(RunBody("st.global.u32 [%rd1], 5;", {4, 32}).launch, kSuccess); }

TEST_F(Race, WritesOfDifferentValuesAreOne) { EXPECT_EQ(RunBody("st.global.u32 [%rd1], %r1;", {1, 2}).launch, kLaunchFailed); }

TEST_F(Race, SharedMemoryWithABarrier) {
  const Outcome outcome = RunBody(std::string(kStoreShared) + "bar.sync 0;\n" + kLoadReversed, {2, 64, 0, 256});
  ASSERT_EQ(outcome.launch, kSuccess);
  for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(outcome.memory[i], i / 64 * 64 + 63 - i % 64);
}

TEST_F(Race, AMissingBarrierIsReported) {
  EXPECT_EQ(RunBody(std::string(kStoreShared) + kLoadReversed, {2, 64, 0, 256}).launch, kLaunchFailed);
}

TEST_F(Race, SharedMemoryThatIsTooSmallIsReported) {
  EXPECT_EQ(RunBody(std::string(kStoreShared) + "bar.sync 0;\n" + kLoadReversed, {2, 64, 0, 252}).launch, kIllegalAddress);
}

TEST_F(Race, ADeadlockIsReported) {
  EXPECT_EQ(RunBody("setp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL: bar.sync 1;\nM:", {1, 32}).launch,
            kLaunchTimeout);
}

TEST_F(Race, AnEndlessLoopIsReported) {
  Set("FAKE_CUDA_MAX_STEPS", "1000");
  EXPECT_EQ(RunBody("L: bra L;", {}).launch, kLaunchTimeout);
}

TEST_F(Race, ResultsThatDependOnTheOrderShow) {
  const std::string body = "atom.global.exch.b32 %r10, [%rd1], %r1;";
  EXPECT_EQ(RunBody(body, {1, 8}).memory[0], 7u);
  Set("FAKE_CUDA_ORDER", "reverse");
  EXPECT_EQ(RunBody(body, {1, 8}).memory[0], 0u);
}

TEST_F(Race, ShuffleDown) {
  const Outcome outcome = RunBody("shfl.sync.down.b32 %r10|%p1, %r1, 1, 31, -1;\nst.global.u32 [%rd2], %r10;", {1, 32});
  ASSERT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[0], 1u);
  EXPECT_EQ(outcome.memory[30], 31u);
  EXPECT_EQ(outcome.memory[31], 31u);
}

TEST_F(Race, ShuffleButterfly) {
  const Outcome outcome = RunBody("shfl.sync.bfly.b32 %r10, %r1, 16, 31, -1;\nst.global.u32 [%rd2], %r10;", {1, 64});
  ASSERT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[0], 16u);
  EXPECT_EQ(outcome.memory[63], 47u);
}

TEST_F(Race, Ballot) {
  const Outcome outcome =
      RunBody("setp.gt.u32 %p1, %r5, 3;\nvote.sync.ballot.b32 %r10, %p1, -1;\nst.global.u32 [%rd2], %r10;", {1, 8});
  ASSERT_EQ(outcome.launch, kSuccess);
  EXPECT_EQ(outcome.memory[5], 0xf0u);
}

// Memory begins as 0, 1, 2, ...; all 8 threads of 2 blocks work on one place.
struct AtomicCase {
  const char* name;
  const char* body;
  std::vector<uint32_t> expected;
};

class Atomics : public FakeCuda, public testing::WithParamInterface<AtomicCase> {};

TEST_P(Atomics, AreDoneInOnePiece) {
  const Outcome outcome = RunBody(GetParam().body, {2, 4, 0, 64, 8});
  ASSERT_EQ(outcome.launch, kSuccess);
  for (size_t i = 0; i < GetParam().expected.size(); i++) EXPECT_EQ(outcome.memory[i], GetParam().expected[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(
    , Atomics,
    testing::Values(
        AtomicCase{"RedAddU32", "red.global.add.u32 [%rd1], 1;", {8, 1}},
        AtomicCase{"RedRelaxedAddU32", "red.relaxed.gpu.global.add.u32 [%rd1], 1;", {8, 1}},
        AtomicCase{"AtomAddU32", "atom.global.add.u32 %r10, [%rd1], 2;", {16, 1}},
        AtomicCase{
            "AtomAddU64", "mov.u64 %rd5, 0xffffffff;\natom.global.add.u64 %rd6, [%rd1+8], %rd5;", {0, 1, 0xfffffffa, 10}},
        AtomicCase{"AtomAddF32", "mov.f32 %f1, 0f3F000000;\natom.global.add.f32 %f2, [%rd1], %f1;", {Bits(4.0f)}},
        AtomicCase{"RedAddF32", "mov.f32 %f1, 0f3F000000;\nred.global.add.f32 [%rd1], %f1;", {Bits(4.0f)}},
        AtomicCase{"MaxU32", "atom.global.max.u32 %r10, [%rd1+8], %r1;", {0, 1, 7}},
        AtomicCase{"MinU32", "atom.global.min.u32 %r10, [%rd1+8], %r1;", {0, 1, 0}},
        AtomicCase{"MaxS32", "sub.s32 %r9, 0, %r1;\nred.global.max.s32 [%rd1], %r9;", {0, 1}},
        AtomicCase{"MinS32", "sub.s32 %r9, 0, %r1;\nred.global.min.s32 [%rd1], %r9;", {static_cast<uint32_t>(-7), 1}},
        AtomicCase{"MaxU64", "cvt.u64.u32 %rd5, %r1;\natom.global.max.u64 %rd6, [%rd1], %rd5;", {0, 1}},
        AtomicCase{"AndOrXor",
                   "red.global.and.b32 [%rd1+12], 1;\nred.global.or.b32 [%rd1], 6;\nred.global.xor.b32 [%rd1+4], 3;",
                   {6, 1, 2, 1}},
        AtomicCase{"CasB32", "atom.global.cas.b32 %r10, [%rd1], 0, 9;", {9, 1}},
        AtomicCase{"CasB64",
                   "mov.u64 %rd5, 0x100000000;\nmov.u64 %rd6, 0x300000002;\natom.global.cas.b64 %rd7, [%rd1], %rd5, %rd6;",
                   {2, 3}},
        AtomicCase{"CasLoopAddsF32",
                   "mov.u32 %r8, 0;\nL: mov.b32 %f1, %r8;\nadd.rn.f32 %f2, %f1, 0f3F800000;\nmov.b32 %r9, %f2;\n"
                   "atom.global.cas.b32 %r10, [%rd1], %r8, %r9;\nsetp.ne.u32 %p1, %r10, %r8;\nmov.u32 %r8, %r10;\n@%p1 bra L;",
                   {Bits(8.0f), 1}},
        AtomicCase{"SharedAddF32",
                   "setp.eq.u32 %p1, %r5, 0;\nmov.u64 %rd5, 0;\nmov.f32 %f1, 0f00000000;\n@%p1 st.shared.f32 [%rd5], %f1;\n"
                   "bar.sync 0;\nmov.f32 %f2, 0f40000000;\natom.shared.add.f32 %f3, [%rd5], %f2;\nbar.sync 0;\n"
                   "ld.shared.f32 %f4, [%rd5];\nst.global.f32 [%rd2], %f4;",
                   {Bits(8.0f), Bits(8.0f)}},
        AtomicCase{
            "SharedAddU64",
            "setp.eq.u32 %p1, %r5, 0;\nmov.u64 %rd5, 0;\nmov.u64 %rd6, 5;\n@%p1 st.shared.u64 [%rd5], %rd5;\nbar.sync 0;\n"
            "red.shared.add.u64 [%rd5], %rd6;\nbar.sync 0;\nld.shared.u32 %r10, [%rd5];\nst.global.u32 [%rd2], %r10;",
            {20, 20}},
        AtomicCase{
            "SharedMinMax",
            "setp.eq.u32 %p1, %r5, 0;\nmov.u64 %rd5, 0;\n@%p1 st.shared.u32 [%rd5], 2;\n@%p1 st.shared.u32 [%rd5+4], 2;\n"
            "bar.sync 0;\natom.shared.max.s32 %r9, [%rd5], %r5;\nred.shared.min.u32 [%rd5+4], %r5;\nbar.sync 0;\n"
            "ld.shared.u32 %r10, [%rd5];\nld.shared.u32 %r11, [%rd5+4];\nmad.lo.s32 %r10, %r10, 16, %r11;\n"
            "st.global.u32 [%rd2], %r10;",
            {48, 48}}),
    [](const auto& test) { return test.param.name; });

TEST_F(Race, BetweenAnAtomicAndAPlainWriteIsReported) {
  EXPECT_EQ(
      RunBody("setp.eq.u32 %p1, %r1, 0;\n@%p1 st.global.u32 [%rd1], 5;\n@!%p1 red.global.add.u32 [%rd1], 1;", {1, 2}).launch,
      kLaunchFailed);
}

}  // namespace
}  // namespace roipool::fake_cuda
