// Every rule of the forward's phase 1 that is not the gradient's.
#include <limits>

#include "broken_rule.h"
#include "roipool/roi_pool.h"

namespace roipool::test {
namespace {

using Args = RoiPoolArgs;
using Rule = BrokenRule<Args>;
using Code = StatusCode;

Args GoodArgs() {
  Args args;
  static_cast<TensorLayout&>(args.x) = TensorLayout::Contiguous(DataType::kFloat32, {2, 5, 8, 9});
  static_cast<TensorLayout&>(args.rois) = TensorLayout::Contiguous(DataType::kFloat32, {6, 5});
  static_cast<TensorLayout&>(args.y) = TensorLayout::Contiguous(DataType::kFloat32, {6, 5, 3, 4});
  static_cast<TensorLayout&>(args.argmax) = TensorLayout::Contiguous(DataType::kInt32, {6, 5, 3, 4});
  return args;
}

// An address that nobody looks at.
void* Address(uint64_t value) { return reinterpret_cast<void*>(value); }

void SetPointers(Args& args) {
  args.x.data = Address(0x100000);
  args.rois.data = Address(0x200000);
  args.y.data = Address(0x300000);
  args.argmax.data = Address(0x400000);
}

Status Validate(const Args& args, const Options& options) {
  uint64_t size = 0;
  ExecutorPtr executor;
  return RoiPoolGetWorkspaceSize(args, options, &size, &executor);
}

class ValidatePool : public testing::TestWithParam<Rule> {};

TEST_P(ValidatePool, RefusesWhatBreaksARule) {
  Args args = GoodArgs();
  Options options;
  ASSERT_OK(Validate(args, options));
  GetParam().break_it(args, options);
  const Status status = Validate(args, options);
  EXPECT_THAT(status, Fails(GetParam().code, GetParam().texts));
  ExpectMessageForm(status, "RoiPoolGetWorkspaceSize");
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Rule kRules[] = {
    {"ThreadsNegative", [](Args&, Options& o) { o.threads = -2; }, Code::kInvalidArgument, {"options.threads is -2"}},
    {"GeometryUnknown",
     [](Args&, Options& o) { o.geometry = static_cast<Geometry>(2); },
     Code::kInvalidArgument,
     {"options.geometry is 2", "Geometry"}},
    {"LayoutUnknown",
     [](Args&, Options& o) { o.roi_layout = static_cast<RoiLayout>(-1); },
     Code::kInvalidArgument,
     {"options.roi_layout is -1", "RoiLayout"}},
    {"ScheduleOfTheGradient",
     [](Args&, Options& o) { o.schedule = "cpu_channel_blocks"; },
     Code::kInvalidArgument,
     {"options.schedule is \"cpu_channel_blocks\", must be one of: ", "reference"}},
    {"ScaleZero",
     [](Args& a, Options&) { a.spatial_scale_h = 0; },
     Code::kInvalidArgument,
     {"spatial_scale_h is 0", "finite and above 0"}},
    {"ScaleNegative", [](Args& a, Options&) { a.spatial_scale_w = -1; }, Code::kInvalidArgument, {"spatial_scale_w is -1"}},
    {"ScaleInfinite",
     [](Args& a, Options&) { a.spatial_scale_h = kInfinity; },
     Code::kInvalidArgument,
     {"spatial_scale_h is inf"}},
    {"ScaleNaN",
     [](Args& a, Options&) { a.spatial_scale_w = std::numeric_limits<float>::quiet_NaN(); },
     Code::kInvalidArgument,
     {"spatial_scale_w is nan"}},
    {"XInteger", [](Args& a, Options&) { a.x.type = DataType::kInt32; }, Code::kInvalidArgument, {"x.type is i32"}},
    {"YOtherType",
     [](Args& a, Options&) { a.y.type = DataType::kFloat64; },
     Code::kInvalidArgument,
     {"y.type is f64", "x.type (f32)"}},
    {"ArgmaxInt64",
     [](Args& a, Options&) { a.argmax.type = DataType::kInt64; },
     Code::kInvalidArgument,
     {"argmax.type is i64", "must be i32"}},
    {"RoisInteger", [](Args& a, Options&) { a.rois.type = DataType::kInt32; }, Code::kInvalidArgument, {"rois.type is i32"}},
    {"XRank", [](Args& a, Options&) { a.x.rank = 3; }, Code::kInvalidArgument, {"x.rank is 3", "must be 4"}},
    {"YRank", [](Args& a, Options&) { a.y.rank = 2; }, Code::kInvalidArgument, {"y.rank is 2"}},
    {"ArgmaxRank", [](Args& a, Options&) { a.argmax.rank = 3; }, Code::kInvalidArgument, {"argmax.rank is 3"}},
    {"RoisRank", [](Args& a, Options&) { a.rois.rank = 4; }, Code::kInvalidArgument, {"rois.rank is 4", "must be 2"}},
    {"XNegativeExtent", [](Args& a, Options&) { a.x.shape[2] = -8; }, Code::kInvalidArgument, {"x.shape[2] is -8"}},
    {"ArgmaxOtherShape",
     [](Args& a, Options&) { a.argmax.shape[3] = 3; },
     Code::kInvalidArgument,
     {"argmax.shape[3] is 3", "y.shape[3] (4)"}},
    {"RoisOtherCount",
     [](Args& a, Options&) { a.rois.shape[0] = 7; },
     Code::kInvalidArgument,
     {"rois.shape[0] is 7", "y.shape[0] (6)"}},
    {"RoisSixColumns",
     [](Args& a, Options&) { a.rois.shape[1] = 6; },
     Code::kInvalidArgument,
     {"rois.shape[1] is 6", "must be 5"}},
    {"YOtherChannels",
     [](Args& a, Options&) { a.x.shape[1] = 4; },
     Code::kInvalidArgument,
     {"y.shape[1] is 5", "x.shape[1] (4)"}},
    {"PooledZero",
     [](Args& a, Options&) { a.y.shape[2] = a.argmax.shape[2] = 0; },
     Code::kInvalidArgument,
     {"y.shape[2] is 0", "pooled_h"}},
    {"XTooLarge", [](Args& a, Options&) { a.x.shape[0] = INT64_C(1) << 31; }, Code::kSizeOverflow, {"x has"}},
    {"YTooLarge",
     [](Args& a, Options&) {
       a.y = {};
       static_cast<TensorLayout&>(a.y) = TensorLayout::Contiguous(DataType::kFloat32, {6, 5, 65536, 65536});
     },
     Code::kSizeOverflow,
     {"y has 128849018880 elements"}},
    {"YExpanded", [](Args& a, Options&) { a.y.strides[1] = 0; }, Code::kOverlap, {"y.strides", "share memory"}},
    {"ArgmaxExpanded", [](Args& a, Options&) { a.argmax.strides[3] = 0; }, Code::kOverlap, {"argmax.strides", "share memory"}},
    {"YMisaligned",
     [](Args& a, Options&) {
       SetPointers(a);
       a.y.data = Address(0x300002);
     },
     Code::kInvalidArgument,
     {"y.data is 0x300002"}},
    {"YOverX",
     [](Args& a, Options&) {
       SetPointers(a);
       a.y.data = Address(0x100000);
     },
     Code::kOverlap,
     {"y.data is", "overlaps x.data"}},
    {"ArgmaxOverRois",
     [](Args& a, Options&) {
       SetPointers(a);
       a.argmax.data = Address(0x200000);
     },
     Code::kOverlap,
     {"argmax.data is", "overlaps rois.data"}},
    {"ArgmaxOverY",
     [](Args& a, Options&) {
       SetPointers(a);
       a.argmax.data = Address(0x300004);
     },
     Code::kOverlap,
     {"overlaps", "y.data", "argmax.data"}},
};

INSTANTIATE_TEST_SUITE_P(Rules, ValidatePool, testing::ValuesIn(kRules), RuleName<Args>);

TEST(ValidatePoolAccepts, MapsWithoutPixelsAndEmptyProblems) {
  for (const size_t d : {0u, 2u, 3u}) {
    Args args = GoodArgs();
    args.x.shape[d] = 0;
    EXPECT_OK(Validate(args, {})) << d;
  }
  Args args = GoodArgs();
  args.y.shape[0] = args.argmax.shape[0] = args.rois.shape[0] = 0;
  EXPECT_OK(Validate(args, {}));
}

}  // namespace
}  // namespace roipool::test
