// Rows with more bins than a schedule takes.
#include "compare.h"
#include "grad_case.h"
#include "reference.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// The longest rows that the best schedule takes, and longer ones.
TEST(GradLongRows, GoToAKernelThatTakesThem) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16}) {
    for (const auto& [pooled_h, pooled_w] : {std::pair{30, 32}, std::pair{1, 961}, std::pair{40, 50}}) {
      const GradCase c = GradCase().Type(type).Pooled(pooled_h, pooled_w).Rois(20).EmptyShare(0.001);
      GradProblem problem(c);
      EXPECT_OK(RunGrad(problem.args(), {}).status) << c.Describe();
      EXPECT_TRUE(SameBits(ReferenceGrad(problem.grad_output, problem.argmax, problem.rois, problem.grad_input.shape()),
                           problem.grad_input))
          << c.Describe();
    }
  }
}

}  // namespace
}  // namespace roipool::test
