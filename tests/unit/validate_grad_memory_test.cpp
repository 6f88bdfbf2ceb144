// The gradient's phase 1: sizes (S6, S7), strides, pointers and overlap (S8).
#include <limits>

#include "grad_rules.h"

namespace roipool::test {
namespace {

using Args = RoiPoolGradArgs;
using Code = StatusCode;

constexpr int64_t kHuge = INT64_C(1) << 40;

class ValidateGradMemory : public testing::TestWithParam<GradRule> {};

TEST_P(ValidateGradMemory, RefusesWhatBreaksARule) { ExpectRefused(GetParam()); }

const GradRule kRules[] = {
    // S7
    {"GradOutputTooLarge",
     [](Args& a, Options&) { Reshape(a.grad_output, {INT64_C(1) << 29, 1, 2, 2}); },
     Code::kSizeOverflow,
     {"grad_output has 2147483648 elements", "at most 2147483647", "split"}},
    {"GradOutputCountWraps",
     [](Args& a, Options&) { Reshape(a.grad_output, {kHuge, kHuge, 2, 2}); },
     Code::kSizeOverflow,
     {"grad_output has over"}},
    {"ArgmaxTooLarge",
     [](Args& a, Options&) { Reshape(a.argmax, {INT64_C(1) << 31, 1, 1, 1}); },
     Code::kSizeOverflow,
     {"argmax has 2147483648 elements"}},
    {"RoisTooLarge",
     [](Args& a, Options&) { Reshape(a.rois, {INT64_C(429496730), 5}); },
     Code::kSizeOverflow,
     {"rois has 2147483650 elements"}},
    {"GradInputTooLarge",
     [](Args& a, Options&) { Reshape(a.grad_input, {1, 5, 65536, 65536}); },
     Code::kSizeOverflow,
     {"grad_input has 21474836480 elements"}},
    {"EmptyGradInputWithHugePlanes",
     [](Args& a, Options&) {
       Reshape(a.grad_output, {6, 0, 3, 4});
       Reshape(a.argmax, {6, 0, 3, 4});
       Reshape(a.grad_input, {2, 0, kHuge, kHuge});
     },
     Code::kSizeOverflow,
     {"grad_input has planes of 1099511627776 x 1099511627776 pixels"}},
    {"EmptyGradOutputWithHugeBins",
     [](Args& a, Options&) {
       Reshape(a.grad_output, {0, 5, kHuge, kHuge});
       Reshape(a.argmax, {0, 5, kHuge, kHuge});
       Reshape(a.rois, {0, 5});
     },
     Code::kSizeOverflow,
     {"grad_output has 1099511627776 x 1099511627776 bins"}},
    {"EmptyWithHugeImages",
     [](Args& a, Options&) { Reshape(a.grad_input, {kHuge, 5, 0, 9}); },
     Code::kSizeOverflow,
     {"1099511627776 images"}},
    {"StridesReachTooFar",
     [](Args& a, Options&) { a.argmax.strides[0] = std::numeric_limits<int64_t>::max() / 3; },
     Code::kSizeOverflow,
     {"argmax.strides", "64-bit"}},
    // S6
    {"Float16ArgmaxTooManyPixels",
     [](Args& a, Options&) {
       SetTypes(a, DataType::kFloat16);
       Reshape(a.grad_input, {2, 5, 1, 2049});
     },
     Code::kInvalidArgument,
     {"argmax.type is f16", "2048", "H*W is 2049", "i32"}},
    {"BFloat16ArgmaxTooManyPixels",
     [](Args& a, Options&) {
       SetTypes(a, DataType::kBFloat16);
       Reshape(a.grad_input, {2, 5, 257, 1});
     },
     Code::kInvalidArgument,
     {"argmax.type is bf16", "256", "H*W is 257"}},
    {"Float32ArgmaxTooManyPixels",
     [](Args& a, Options&) {
       SetTypes(a, DataType::kFloat32);
       Reshape(a.grad_input, {1, 5, 1, (1 << 24) + 1});
     },
     Code::kInvalidArgument,
     {"argmax.type is f32", "16777216", "H*W is 16777217"}},
    // Memory
    {"GradInputExpanded",
     [](Args& a, Options&) { a.grad_input.strides[0] = 0; },
     Code::kOverlap,
     {"grad_input.strides", "share memory"}},
    {"GradInputRowsOverlap", [](Args& a, Options&) { a.grad_input.strides[2] = 8; }, Code::kOverlap, {"grad_input.strides"}},
    {"GradOutputMisaligned",
     [](Args& a, Options&) {
       SetPointers(a);
       a.grad_output.data = Address(0x100002);
     },
     Code::kInvalidArgument,
     {"grad_output.data is 0x100002", "multiple of", "4 bytes"}},
    {"ArgmaxMisaligned",
     [](Args& a, Options&) {
       SetPointers(a);
       a.argmax.type = DataType::kInt64;
       a.argmax.data = Address(0x200004);
     },
     Code::kInvalidArgument,
     {"argmax.data is 0x200004", "8 bytes"}},
    {"RoisMisaligned",
     [](Args& a, Options&) {
       SetPointers(a);
       a.rois.type = DataType::kFloat16;
       a.rois.data = Address(0x300001);
     },
     Code::kInvalidArgument,
     {"rois.data is 0x300001", "2 bytes"}},
    {"GradInputMisaligned",
     [](Args& a, Options&) {
       SetPointers(a);
       a.grad_input.data = Address(0x400001);
     },
     Code::kInvalidArgument,
     {"grad_input.data is 0x400001"}},
    // S8
    {"GradInputOverGradOutput",
     [](Args& a, Options&) {
       SetPointers(a);
       a.grad_input.data = Address(0x100000 + 6 * 5 * 12 * 4 - 4);
     },
     Code::kOverlap,
     {"grad_input.data is", "overlaps grad_output.data"}},
    {"GradInputOverArgmax",
     [](Args& a, Options&) {
       SetPointers(a);
       a.argmax.data = Address(0x400000 + 2 * 5 * 72 * 4 - 4);
     },
     Code::kOverlap,
     {"grad_input.data is", "overlaps argmax.data"}},
    {"GradInputOverRois",
     [](Args& a, Options&) {
       SetPointers(a);
       a.rois.data = Address(0x400000);
     },
     Code::kOverlap,
     {"grad_input.data is", "overlaps rois.data"}},
    {"GradInputBelowItsPointer",
     [](Args& a, Options&) {
       SetPointers(a);
       a.grad_input.strides[0] = -360;
       a.grad_output.data = Address(0x400000 - 1440);
     },
     Code::kOverlap,
     {"grad_input.data is", "overlaps grad_output.data"}},
};

INSTANTIATE_TEST_SUITE_P(Rules, ValidateGradMemory, testing::ValuesIn(kRules), RuleName<Args>);

TEST(ValidateGradAccepts, TheLargestPlanesOfFloatArgmax) {
  for (const auto& [type, pixels] : {std::pair{DataType::kFloat16, 2048}, std::pair{DataType::kBFloat16, 256},
                                     std::pair{DataType::kFloat32, 1 << 24}, std::pair{DataType::kFloat64, 1 << 26}}) {
    Args args = GoodGradArgs();
    SetTypes(args, type);
    Reshape(args.grad_input, {1, 5, 1, pixels});
    EXPECT_OK(GradPhase1(args, {}));
  }
}

TEST(ValidateGradAccepts, InputsThatOverlapAndTouch) {
  Args args = GoodGradArgs();
  SetPointers(args);
  args.argmax.data = args.rois.data = args.grad_output.data;
  EXPECT_OK(GradPhase1(args, {}));
  args.grad_input.data = Address(0x100000 + 6 * 5 * 12 * 4);
  EXPECT_OK(GradPhase1(args, {})) << "side by side is not overlap";
}

TEST(ValidateGradAccepts, EmptyTensorsAnywhere) {
  Args args = GoodGradArgs();
  SetPointers(args);
  args.grad_input.data = Address(0x100000);
  Reshape(args.grad_input, {0, 5, 8, 9});
  EXPECT_OK(GradPhase1(args, {})) << "an empty tensor overlaps nothing";
  args = GoodGradArgs();
  for (TensorLayout* layout : {static_cast<TensorLayout*>(&args.grad_output), static_cast<TensorLayout*>(&args.argmax),
                               static_cast<TensorLayout*>(&args.rois)}) {
    layout->shape[0] = 0;
  }
  EXPECT_OK(GradPhase1(args, {}));
  Reshape(args.grad_input, {2, 5, 0, 0});
  EXPECT_OK(GradPhase1(args, {})) << "no pixels are needed where argmax is empty";
}

TEST(ValidateGradAccepts, TheLargestElementCount) {
  Args args = GoodGradArgs();
  Reshape(args.grad_input, {1, 5, 1, 429496729});
  EXPECT_OK(GradPhase1(args, {}));
}

}  // namespace
}  // namespace roipool::test
