// Arguments of a gradient that are in order, for tests that break one rule at a time.
#ifndef ROIPOOL_TESTS_UNIT_GRAD_RULES_H_
#define ROIPOOL_TESTS_UNIT_GRAD_RULES_H_

#include <initializer_list>

#include "broken_rule.h"
#include "roipool/roi_pool_grad.h"

namespace roipool::test {

using GradRule = BrokenRule<RoiPoolGradArgs>;

inline void Reshape(TensorLayout& layout, std::initializer_list<int64_t> shape) {
  layout = TensorLayout::Contiguous(layout.type, shape);
}

/// Without pointers: phase 1 may be asked before there is any memory.
inline RoiPoolGradArgs GoodGradArgs() {
  RoiPoolGradArgs args;
  args.argmax.type = DataType::kInt32;
  Reshape(args.grad_output, {6, 5, 3, 4});
  Reshape(args.argmax, {6, 5, 3, 4});
  Reshape(args.rois, {6, 5});
  Reshape(args.grad_input, {2, 5, 8, 9});
  return args;
}

/// grad_output, grad_input and argmax.
inline void SetTypes(RoiPoolGradArgs& args, DataType type) {
  args.grad_output.type = args.grad_input.type = args.argmax.type = type;
}

/// An address that nobody looks at.
inline void* Address(uint64_t value) { return reinterpret_cast<void*>(value); }

inline void SetPointers(RoiPoolGradArgs& args) {
  args.grad_output.data = Address(0x100000);
  args.argmax.data = Address(0x200000);
  args.rois.data = Address(0x300000);
  args.grad_input.data = Address(0x400000);
}

inline Status GradPhase1(const RoiPoolGradArgs& args, const Options& options) {
  uint64_t size = 0;
  ExecutorPtr executor;
  return RoiPoolGradGetWorkspaceSize(args, options, &size, &executor);
}

/// The body of a TEST_P over rules.
inline void ExpectRefused(const GradRule& rule) {
  RoiPoolGradArgs args = GoodGradArgs();
  Options options;
  ASSERT_OK(GradPhase1(args, options));
  rule.break_it(args, options);
  const Status status = GradPhase1(args, options);
  EXPECT_THAT(status, Fails(rule.code, rule.texts));
  ExpectMessageForm(status, "RoiPoolGradGetWorkspaceSize");
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_UNIT_GRAD_RULES_H_
