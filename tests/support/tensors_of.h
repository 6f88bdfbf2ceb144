// The tensors of an operator's arguments, for code that serves every operator.
#ifndef ROIPOOL_TESTS_SUPPORT_TENSORS_OF_H_
#define ROIPOOL_TESTS_SUPPORT_TENSORS_OF_H_

#include "roipool/roi_pool.h"
#include "roipool/roi_pool_grad.h"

namespace roipool::test {

/// Calls visit(view) for each, inputs before outputs: a TensorView or a MutableTensorView.
template <typename Visit>
void ForEachTensor(RoiPoolGradArgs& args, const Visit& visit) {
  visit(args.grad_output);
  visit(args.argmax);
  visit(args.rois);
  visit(args.grad_input);
}

template <typename Visit>
void ForEachTensor(RoiPoolArgs& args, const Visit& visit) {
  visit(args.x);
  visit(args.rois);
  visit(args.y);
  visit(args.argmax);
}

inline bool IsOutput(const TensorView&) { return false; }
inline bool IsOutput(const MutableTensorView&) { return true; }

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_TENSORS_OF_H_
