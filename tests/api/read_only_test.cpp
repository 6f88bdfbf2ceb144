// S8: inputs are never written, not even with what they held before: here that would end the program.
#include "kernel_rows.h"
#include "operators.h"

namespace roipool::test {
namespace {

TEST(ReadOnlyInputs, OfTheGradient) {
  for (const KernelRow& row : KernelRowsOf(Operator::kRoiPoolGrad)) {
    if (!WhyNotHere(row).empty()) continue;
    for (const Strides strides : {Strides::kContiguous, Strides::kChannelsLast, Strides::kExpandedRois}) {
      for (const DataType argmax_type : {DataType::kInt32, DataType::kInt64, row.type}) {
        const GradCase c = GradCase().Type(row.type).ArgmaxType(argmax_type).GradOutputStrides(strides).ArgmaxStrides(strides);
        SetCrashNote(std::string("an input was written: ") + row.name + " " + c.Describe());
        GradProblem problem(c);
        for (Tensor* input : {&problem.grad_output, &problem.argmax, &problem.rois}) input->MakeReadOnly();
        EXPECT_OK(Call<GradOperator>(problem.args(), OptionsFor(row)).Run());
      }
    }
  }
}

TEST(ReadOnlyInputs, OfTheForward) {
  for (const KernelRow& row : KernelRowsOf(Operator::kRoiPool)) {
    if (!WhyNotHere(row).empty()) continue;
    for (const Strides strides : {Strides::kContiguous, Strides::kNegative}) {
      const PoolCase c = PoolCase().Type(row.type).XStrides(strides).RoisStrides(strides);
      SetCrashNote(std::string("an input was written: ") + row.name + " " + c.Describe());
      PoolProblem problem(c);
      problem.x.MakeReadOnly();
      problem.rois.MakeReadOnly();
      EXPECT_OK(Call<PoolOperator>(problem.args(), OptionsFor(row)).Run());
    }
  }
}

}  // namespace
}  // namespace roipool::test
