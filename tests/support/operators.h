// Both operators behind one interface, for what their two phases have in common: TYPED_TEST_SUITE(..., Operators).
#ifndef ROIPOOL_TESTS_SUPPORT_OPERATORS_H_
#define ROIPOOL_TESTS_SUPPORT_OPERATORS_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "grad_case.h"
#include "pool_case.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {

struct GradOperator {
  using Case = GradCase;
  using Problem = GradProblem;
  using Args = RoiPoolGradArgs;
  static constexpr const char* kName = "RoiPoolGrad";

  static Status Phase1(const Args& args, const Options& options, uint64_t* size, ExecutorPtr* executor) {
    return RoiPoolGradGetWorkspaceSize(args, options, size, executor);
  }
  static Status Phase2(void* workspace, uint64_t size, Executor* executor) { return RoiPoolGrad(workspace, size, executor); }
  static Status SetData(Executor* executor, Args args) {
    return SetRoiPoolGradData(executor, args.grad_output.data, args.argmax.data, args.rois.data, args.grad_input.data);
  }
  static std::vector<Tensor*> Tensors(Problem& p) { return {&p.grad_output, &p.argmax, &p.rois, &p.grad_input}; }
  static std::vector<const void*> Pointers(const Args& a) {
    return {a.grad_output.data, a.argmax.data, a.rois.data, a.grad_input.data};
  }
  static void ClearPointers(Args& a) { a.grad_output.data = a.argmax.data = a.rois.data = a.grad_input.data = nullptr; }
  static std::vector<Tensor*> Results(Problem& p) { return {&p.grad_input}; }
};

struct PoolOperator {
  using Case = PoolCase;
  using Problem = PoolProblem;
  using Args = RoiPoolArgs;
  static constexpr const char* kName = "RoiPool";

  static Status Phase1(const Args& args, const Options& options, uint64_t* size, ExecutorPtr* executor) {
    return RoiPoolGetWorkspaceSize(args, options, size, executor);
  }
  static Status Phase2(void* workspace, uint64_t size, Executor* executor) { return RoiPool(workspace, size, executor); }
  static Status SetData(Executor* executor, Args args) {
    return SetRoiPoolData(executor, args.x.data, args.rois.data, args.y.data, args.argmax.data);
  }
  static std::vector<Tensor*> Tensors(Problem& p) { return {&p.x, &p.rois, &p.y, &p.argmax}; }
  static std::vector<const void*> Pointers(const Args& a) { return {a.x.data, a.rois.data, a.y.data, a.argmax.data}; }
  static void ClearPointers(Args& a) { a.x.data = a.rois.data = a.y.data = a.argmax.data = nullptr; }
  static std::vector<Tensor*> Results(Problem& p) { return {&p.y, &p.argmax}; }
};

using Operators = testing::Types<GradOperator, PoolOperator>;

struct OperatorNames {
  template <typename T>
  static std::string GetName(int) {
    return T::kName;
  }
};

/// A planned call with its workspace.
template <typename Op>
struct Call {
  explicit Call(const typename Op::Args& args, const Options& options = {}) {
    EXPECT_OK(Op::Phase1(args, options, &size, &executor));
    workspace.emplace(MakeWorkspace(size));
  }
  Status Run() { return Op::Phase2(workspace->data(), size, executor.get()); }

  uint64_t size = 0;
  ExecutorPtr executor;
  std::optional<GuardedBuffer> workspace;
};

/// The results' bytes, one tensor after the other.
template <typename Op>
std::vector<std::byte> ResultBytes(typename Op::Problem& problem) {
  std::vector<std::byte> bytes;
  for (const Tensor* result : Op::Results(problem)) {
    const std::vector<std::byte> more = result->Bytes();
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

/// What the results of `c` should be: those of a call of its own.
template <typename Op>
std::vector<std::byte> ExpectedBytes(const typename Op::Case& c) {
  typename Op::Problem problem(c);
  EXPECT_OK(Call<Op>(problem.args()).Run());
  return ResultBytes<Op>(problem);
}

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_OPERATORS_H_
