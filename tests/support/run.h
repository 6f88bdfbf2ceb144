// Both phases of a call, in a workspace that is poisoned, guarded and not a byte too large.
#ifndef ROIPOOL_TESTS_SUPPORT_RUN_H_
#define ROIPOOL_TESTS_SUPPORT_RUN_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "grad_case.h"
#include "guarded_buffer.h"
#include "pool_case.h"
#include "roipool/status.h"

namespace roipool::test {

/// A poisoned workspace as phase 2 asks for it.
GuardedBuffer MakeWorkspace(uint64_t size, Fence fence = Fence::kBehind);

struct RunResult {
  Status status;
  std::string kernel;  ///< Empty if phase 1 failed.
  uint64_t workspace_size = 0;
};

RunResult RunGrad(const RoiPoolGradArgs& args, const Options& options);
RunResult RunPool(const RoiPoolArgs& args, const Options& options);

/// The reference's gradient, in the accumulation of `options`.
Tensor ExpectedGrad(const GradProblem& problem, const Options& options);

/// Whether the problem's grad_input is what `options` promise: the reference's bits; on a GPU in floats the reference's numbers
/// within the bound for sums in any order.
testing::AssertionResult SameGradient(const GradProblem& problem, const Options& options);

/// Runs a case on the kernel that `options` allow and expects: Ok, the kernel of that name, the reference's bits, and
/// everything but grad_input as it was.
void ExpectGradOfCase(const GradCase& c, const Options& options, const std::string& kernel);
void ExpectPoolOfCase(const PoolCase& c, const Options& options, const std::string& kernel);
/// The same for a problem whose boxes or values have been changed by hand. `note` names it.
void ExpectPoolOfProblem(PoolProblem& problem, const std::string& note, const Options& options, const std::string& kernel);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_RUN_H_
